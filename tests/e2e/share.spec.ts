// In: the built site. Out: what "Share" gives opens the same view again, here, in other pages and from a disk.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { RigViewElement } from '../../www/embed/api';
import { boxMesh, zip } from './embed-support';
import { bramble, drop, files, frame, open, pause } from './support';

test('a link brings back the model, clip, frame, camera and skin', async ({ page, context }) => {
  await open(page);
  await page.getByRole('button', { name: 'walk' }).click();
  await pause(page);
  await page.locator('#scrub').fill('0.5');
  const shown = await frame(page);
  await page.locator('#canvas').focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('To copy').inputValue();
  const query = new URL(link).searchParams;
  expect(query.get('src')).toContain('bramble.md5mesh');
  expect(query.get('clip')).toBe('walk');

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator('html')).toHaveAttribute('data-ready', 'yes');
  await expect(other.locator('#model-name')).toHaveText('bramble');
  await expect(other.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => frame(other)).toBeCloseTo(shown, 0);
  await other.getByRole('button', { name: 'Share' }).click();
  // The same view gives the same link.
  expect(await other.getByLabel('To copy').inputValue()).toBe(link);
});

test('a link with a camera beyond all numbers shows its model all the same', async ({ page }) => {
  await page.goto(`./?src=${encodeURIComponent('samples/fathom/models/players/fathom/lower.md3')}&fov=1e999&camera-target=1e39,0,0&camera-orbit=1e39rad%200%201e39`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', 'yes');
  await expect(page.locator('#model-format')).toHaveText('Quake III player');
});

test('the markup works as it stands', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByLabel('Kind of link').selectOption('element');
  const markup = await page.getByLabel('To copy').inputValue();
  for (const [kind, part] of [['iframe', '<iframe'], ['mediawiki', '{{#widget:Rigview|src='], ['dokuwiki', '{{rigview>'], ['markdown', '[bramble in 3D](<']] as const) {
    await page.getByLabel('Kind of link').selectOption(kind);
    expect(await page.getByLabel('To copy').inputValue()).toContain(part);
  }
  await page.route('**/other.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Other</title>${markup}` }));
  await page.goto('other.html');
  const view = page.locator('rig-view');
  await expect.poll(() => view.evaluate((element: RigViewElement) => element.loaded)).toBe(true);
  expect(await view.evaluate((element: RigViewElement) => element.missingFiles)).toEqual([]);
});

test('markup for own files keeps their folders, and is what the wiki reads', async ({ page }) => {
  await open(page);
  await drop(page, [{ name: 'all.zip', bytes: zip({ 'models/a {1}/box|2.md5mesh': boxMesh() }) }]);
  await expect(page.locator('#model-name')).toHaveText('box|2');
  await page.getByRole('button', { name: 'Share' }).click();
  const kind = page.getByLabel('Kind of link');
  const text = page.getByLabel('To copy');
  await kind.selectOption('element');
  await expect(text).toHaveValue(/ src="https:\/\/your\.site\/models\/a%20%7B1%7D\/box%7C2\.md5mesh" /);
  await kind.selectOption('dokuwiki');
  // As the plugin's pattern and its first `|` part it.
  await expect(text).toHaveValue(/^\{\{rigview>https:\/\/your\.site\/models\/a%20%7B1%7D\/box%7C2\.md5mesh \? [^{}|]+ \| box2\}\}$/);
});

test('one file holds viewer and model, and opens from a disk without a network', async ({ page, context }, info) => {
  await open(page);
  await drop(page, files(bramble.mesh, bramble.walk));
  await expect(page.getByRole('button', { name: 'walk' })).toBeVisible();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('on your computer only')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as .html' }).click()]);
  const path = info.outputPath('model.html');
  writeFileSync(path, readFileSync(await download.path()));
  await context.setOffline(true);
  const saved = await context.newPage();
  const asked: string[] = [];
  saved.on('request', (request) => asked.push(request.url()));
  await saved.goto(`file://${path}`);
  const view = saved.locator('rig-view');
  await expect.poll(() => view.evaluate((element: RigViewElement) => [element.name, element.clips.map(({ name }) => name)])).toEqual(['bramble', ['walk']]);
  expect(asked.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
});
