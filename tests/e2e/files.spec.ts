// In: files dropped, one after the other. Out: the model they make; errors that take nothing away.
import { expect, test } from '@playwright/test';
import { bramble, canvas, coloured, drop, files, open, text } from './support';

test('a dropped mesh takes the sample’s place, and an animation dropped later joins it', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh));
  await expect(page.locator('#clips')).toBeHidden();
  await expect(page.locator('#transport')).toBeHidden();
  await expect(page.locator('#facts-body')).toContainText('42');

  await page.locator('#canvas').focus();
  await page.keyboard.press('ArrowLeft');
  await drop(page, files(bramble.walk));
  await expect(page.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('status')).toContainText('Added walk.md5anim');

  // A second one leaves the first playing.
  await drop(page, files(bramble.idle));
  await expect(page.getByRole('button', { name: 'idle' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
});

test('missing textures are listed with every path that was tried', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh));
  const missing = page.locator('.missing').first();
  await expect(missing).toBeVisible();
  await missing.locator('summary').click();
  await expect(missing.locator('.paths li').first()).toContainText('bramble');
  await expect(page.getByRole('button', { name: 'Copy all missing textures' })).toBeVisible();
});

test('textures dropped later dress the model', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh));
  await expect(page.locator('.missing').first()).toBeVisible();
  expect(await coloured(page)).toBeLessThan(0.02);
  await drop(page, files(...bramble.looks));
  await expect(page.locator('.missing')).toHaveCount(0);
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.05);
});

test('a broken file is explained, and the model before it stays', async ({ page }) => {
  await open(page);
  await drop(page, [text('broken.md5mesh', 'MD5Version 10\ncommandline ""\nnumJoints 1\nnumMeshes 1\njoints {\n  "root" 0 ( 0 0 0 ) ( 0 0 0 )\n}\n')]);
  const finding = page.locator('.finding.error').first();
  await expect(finding).toContainText('broken.md5mesh:6');
  await expect(page.locator('#report-badge')).toHaveText('2');
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await expect(page.getByRole('button', { name: 'idle' })).toHaveAttribute('aria-pressed', 'true');
});

test('something that is no model is refused by name', async ({ page }) => {
  await open(page);
  await drop(page, [text('notes.txt', 'hello')]);
  await expect(page.locator('#report-body')).toContainText('notes.txt: not a kind Rigview reads');
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await drop(page, files(bramble.mesh));
  await drop(page, [...files(bramble.walk), text('notes.txt', 'hello')]);
  await expect(page.getByRole('status')).toHaveText('Added 1 file, ignored 1');
});

test('a search opens its first match by Enter, and all can be removed', async ({ page }) => {
  await open(page);
  const [mesh] = files(bramble.mesh);
  await drop(page, Array.from({ length: 9 }, (_, number) => ({ name: `copy${number}.md5mesh`, bytes: mesh!.bytes })));
  const search = page.getByRole('searchbox', { name: 'Search models' });
  await search.fill('copy99');
  await expect(page.locator('#models-list')).toContainText('No model matches');
  await search.fill('copy7');
  await search.press('Enter');
  await expect(page.locator('#model-name')).toHaveText('copy7');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await search.press('ArrowDown');
  await expect(page.getByRole('treeitem', { name: 'copy0' })).toBeFocused();

  await page.getByRole('button', { name: 'Remove all' }).click();
  await expect(page.locator('#report-body')).toHaveText('Nothing is open.');
  await expect(page.locator('#models')).toBeHidden();
  await expect(page.locator('#welcome')).toBeVisible();
  // What comes next starts anew.
  await drop(page, files(bramble.mesh, bramble.walk));
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await expect(page.locator('#models-list').getByRole('treeitem')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
});

test('names from files are shown as text', async ({ page }) => {
  await open(page);
  const [mesh] = files(bramble.mesh);
  const evil = mesh!.bytes.toString('latin1').replace('"origin"', '"<img src=x onerror=document.title=1>"');
  await drop(page, [{ name: '<b>bold.md5mesh', bytes: Buffer.from(evil, 'latin1') }]);
  await expect(page.locator('#model-name')).toHaveText('<b>bold');
  await page.getByText('Joints (').click();
  await expect(page.locator('#facts-body')).toContainText('<img src=x');
  expect(await page.locator('#panels img').count()).toBe(0);
});

test('a camera alone shows its path, and can be looked through', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.camera));
  await expect(page.locator('#model-name')).toHaveText('around');
  // It goes along its path, and its cuts stand on the timeline.
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(page.locator('.mark')).toHaveCount(2);
  const going = await canvas(page);
  await expect.poll(() => canvas(page)).not.toBe(going);
  await page.getByRole('button', { name: 'around' }).click();
  await expect(page.getByRole('button', { name: 'Leave the camera' })).toBeVisible();
  await expect(page.locator('.mark')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Leave the camera' })).toBeHidden();
});

test('a camera beside a model is looked through while the model moves, and left again', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh, bramble.walk, bramble.camera));
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await expect(page.locator('.mark')).toHaveCount(0);
  await page.getByRole('button', { name: 'around' }).click();
  await expect(page.locator('body')).toHaveClass(/looking/);
  await expect(page.locator('.mark')).toHaveCount(2);
  // The bars above and below are black.
  const bar = await page.evaluate(() => getComputedStyle(document.querySelector('#view')!, '::before').backgroundColor);
  expect(bar).toBe('rgb(0, 0, 0)');
  const seconds = () => page.locator('#seconds-now').textContent();
  const [now, seen] = [await seconds(), await canvas(page)];
  await expect.poll(seconds).not.toBe(now);
  await expect.poll(() => canvas(page)).not.toBe(seen);
  await page.getByRole('button', { name: 'Leave the camera' }).click();
  await expect(page.locator('body')).not.toHaveClass(/looking/);
  await expect(page.locator('.mark')).toHaveCount(0);
});

test('a model that is shown while the one before still loads is dressed too', async ({ page }) => {
  await open(page);
  const pick = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Samples' }).click();
    await page.getByRole('button', { name }).click();
  };
  await pick(/Fathom/);
  await pick(/Bramble/);
  await pick(/Fathom/);
  await pick(/Bramble/);
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.05);
  await expect(page.locator('#report-badge')).toBeHidden();
});

test('the file button and the gallery open models too', async ({ page }) => {
  await open(page);
  await page.locator('#file-input').setInputFiles(files(bramble.mesh).map(({ name, bytes }) => ({ name, mimeType: '', buffer: bytes })));
  await expect(page.locator('#clips')).toBeHidden();
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('button', { name: /Fathom/ }).click();
  await expect(page.locator('#model-name')).toHaveText('fathom');
  await expect(page.getByRole('heading', { name: 'Legs' })).toBeVisible();
  await page.getByRole('button', { name: 'LEGS_RUN' }).click();
  await page.getByRole('button', { name: 'TORSO_GESTURE' }).click();
  await expect(page.getByRole('button', { name: 'LEGS_RUN' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByLabel('Skin').selectOption('red');
  await expect(page.locator('#report-badge')).toBeHidden();
});

test('textures dropped before their model dress it, though a sample is shown', async ({ page }) => {
  await open(page);
  await drop(page, files(...bramble.looks));
  await expect(page.locator('#report-body')).toContainText('expected a model');
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await drop(page, [{ ...files(bramble.mesh)[0]!, name: 'later.md5mesh' }]);
  await expect(page.locator('#model-name')).toHaveText('later');
  await expect(page.locator('.missing')).toHaveCount(0);
});

test('a broken model does not keep a sound one of the same drop from being shown', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh));
  const sound = { ...files(bramble.mesh)[0]!, name: 'sound.md5mesh' };
  await drop(page, [text('broken.md5mesh', 'MD5Version 10\n'), sound]);
  await expect(page.locator('#model-name')).toHaveText('sound');
  await expect(page.locator('.finding.error').first()).toContainText('broken.md5mesh');
});

test('a compiled model is named, with what to bring instead', async ({ page }) => {
  await open(page);
  const header = Buffer.alloc(256);
  header.write('IDST');
  header.writeInt32LE(10, 4);
  await drop(page, [{ name: 'scientist.mdl', bytes: header }]);
  await expect(page.locator('#report-body')).toContainText('scientist.mdl:byte 0: expected the .smd and .qc files that a decompiler makes of a compiled model, found a compiled MDL model (Half-Life or Source), version 10');
  // What the games say below is about the model that still stands there.
  await expect(page.locator('#game .about')).toHaveText('bramble');
});
