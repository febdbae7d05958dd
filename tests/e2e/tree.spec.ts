// In: an archive of thousands of models. Out: proof that the list of models is a tree that folds, searches and goes by keys.
import { expect, test } from '@playwright/test';
import { boxMesh, boxTurn, zip } from './embed-support';
import { drop, open } from './support';

/** 40 folders of 75 models each, all below models/md5, and one model beside them. */
const archive = () => {
  const files: Record<string, string> = { 'models/odd.md5mesh': boxMesh('skin') };
  for (let folder = 0; folder < 40; folder++) for (let model = 0; model < 75; model++) files[`models/md5/f${folder}/deep/m${model}.md5mesh`] = boxMesh('skin');
  return { name: 'many.pk4', bytes: zip(files) };
};

test('a tree of thousands of models folds, searches and goes by keys', async ({ page }) => {
  await open(page);
  await drop(page, [archive()]);
  await expect(page.locator('#models-count')).toHaveText('3001');
  const tree = page.getByRole('tree', { name: 'Models' });
  const row = (name: string | RegExp) => tree.getByRole('treeitem', { name, exact: true });
  const rows = tree.getByRole('treeitem');

  // Open is the way to what is shown, the folders that hold only one another in a row, and no more.
  await expect(page.locator('#model-name')).toHaveText('m0');
  await expect(tree.getByRole('treeitem', { expanded: true })).toHaveText(['models', 'md5', 'f0/deep']);
  await expect(tree.getByRole('treeitem', { expanded: false })).toHaveCount(39);
  await expect(tree.getByRole('treeitem', { selected: true })).toHaveText(/^m0\.md5mesh/);
  expect(await rows.count()).toBe(3 + 75 + 39 + 1);

  await row('f0/deep').click();
  await expect(rows).toHaveCount(3 + 39 + 1);
  await expect(tree.getByRole('treeitem', { name: 'f0/deep' })).toContainText('75');

  // By keys: right opens and enters, left goes up and closes.
  const focused = page.locator(':focus');
  await expect(focused).toHaveText(/f0\/deep/);
  await page.keyboard.press('ArrowDown');
  await expect(focused).toHaveText(/f1\/deep/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveText(/^m0\.md5mesh/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('#model-name')).toHaveText('m1');
  await expect(focused).toHaveText(/^m1\.md5mesh/);
  await page.keyboard.press('ArrowLeft');
  await expect(focused).toHaveText(/f1\/deep/);
  await page.keyboard.press('ArrowLeft');
  await expect(focused).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Home');
  await expect(focused).toHaveText('models');

  // A search opens what matches; its end closes it again.
  const search = page.getByRole('searchbox', { name: 'Search models' });
  await search.fill('f39 m7');
  await expect(tree.getByRole('treeitem', { expanded: true })).toHaveText(['models/md5/f39/deep']);
  await expect(rows).toHaveCount(1 + 6);
  await search.press('Enter');
  await expect(page.locator('#model-name')).toHaveText('m7');
  await search.press('Escape');
  await expect(tree.getByRole('treeitem', { expanded: true })).toHaveText(['models', 'md5', 'f39/deep']);
  // No more rows than the page bears, however many match.
  await search.fill('md5mesh');
  await expect(tree).toContainText('more: search for them');
  expect(await rows.count()).toBeLessThanOrEqual(400);
});

test('of many models those below the edge can be scrolled to, and the clips stay in sight', async ({ page }) => {
  await open(page);
  const models = Array.from({ length: 39 }, (_, index) => [`models/m${index}/m.md5mesh`, boxMesh('skin')]);
  await drop(page, [{ name: 'some.pk4', bytes: zip(Object.fromEntries(models)) }, { name: 'turn.md5anim', bytes: Buffer.from(boxTurn()) }]);
  await expect(page.locator('#models-count')).toHaveText('39');
  const list = page.locator('#models-list');
  expect(await list.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeGreaterThan(200);
  for (const part of ['#models-search', '#clips']) await expect(page.locator(part)).toBeInViewport({ ratio: 1 });
  expect((await page.locator('#models-search').boundingBox())!.height).toBeGreaterThan(24);
  await list.hover();
  await page.mouse.wheel(0, 5000);
  await expect(list.getByRole('treeitem').last()).toBeInViewport();
});
