// In: files that a game would refuse or take. Out: the panel "In the game" says so, points at the place, and hands its findings on.
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { canvas, drop, files, open, pause, text } from './support';

const DATA = 'tests/data/check';

/** The engine's part of the panel. */
const verdict = (page: Page, engine: string) => page.locator(`#game [data-engine=${engine}]`);

test('a refusal names the rule, and a click on its place marks the surface', async ({ page }) => {
  await open(page);
  await expect(verdict(page, 'doom3').locator('summary')).toContainText('loads');
  await drop(page, files(`${DATA}/quake3-md3-vertices/bad/a.md3`));
  const quake = verdict(page, 'quake3');
  await expect(quake.locator('summary')).toHaveText('Quake IIIrefused');
  await expect(quake.locator('.says')).toContainText('more than 999 verts');
  await expect(verdict(page, 'doom3').locator('summary')).toHaveText('Doom 3loads');
  await expect(page.locator('#game-badge')).toHaveText('refused');

  const plain = await canvas(page);
  const place = quake.getByRole('button', { name: /a\.md3 byte 244/ });
  await place.click();
  await expect(place).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => canvas(page)).not.toBe(plain);
  await place.click();
  await expect(place).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => canvas(page)).toBe(plain);
});

test('a joint is marked where it stands', async ({ page }) => {
  await open(page);
  await drop(page, files(`${DATA}/goldsrc-smd-sequence-gap/bad/a.smd`, `${DATA}/goldsrc-smd-sequence-gap/bad/walk.smd`));
  await expect(page.locator('#model-name')).toHaveText('a');
  await pause(page);
  const plain = await canvas(page);
  await verdict(page, 'goldsrc').getByRole('button', { name: /no pose for 1 of 3 bones/ }).click();
  await expect.poll(() => canvas(page)).not.toBe(plain);
});

test('a vertex is marked where it stands, also behind a mesh with a fault', async ({ page }) => {
  await open(page);
  const mesh = files(`${DATA}/doom3-md5-weight-sum/bad/a.md5mesh`)[0]!.bytes.toString();
  const [head, block] = mesh.split(/(?=^mesh \{)/m) as [string, string];
  await drop(page, [text('two.md5mesh', `${head.replace('numMeshes 1', 'numMeshes 2')}${block.replace('tri 0 0 1 2', 'tri 0 0 1 9')}${block}`)]);
  await expect(page.locator('#model-name')).toHaveText('two');
  const doom = verdict(page, 'doom3');
  const plain = await canvas(page);
  await doom.getByRole('button', { name: /mesh\[1\]\.vert\[1\]/ }).click();
  await expect.poll(() => canvas(page)).not.toBe(plain);
  // What was left out cannot be pointed at.
  await expect(doom.locator('.place', { hasText: 'mesh[0].tri[0]' })).toHaveCount(1);
  await expect(doom.getByRole('button', { name: /mesh\[0\]/ })).toHaveCount(0);
});

test('a mesh is marked by the triangles that a finding is about', async ({ page }) => {
  await open(page);
  await drop(page, files(`${DATA}/goldsrc-smd-weights/bad/a.smd`));
  await expect(page.locator('#model-name')).toHaveText('a');
  const plain = await canvas(page);
  await verdict(page, 'goldsrc').locator('summary').click();
  await verdict(page, 'goldsrc').getByRole('button', { name: /hang on other bones too/ }).click();
  await expect.poll(() => canvas(page)).not.toBe(plain);
});

test('texts without a model are judged together', async ({ page }) => {
  await open(page);
  const folder = (rule: string) => `${DATA}/${rule}/bad/models/players/x`;
  await drop(page, files(`${folder('quake3-cfg-footsteps')}/animation.cfg`, `${folder('quake3-skin-blank')}/lower_default.skin`));
  const quake = verdict(page, 'quake3');
  await expect(quake.locator('summary')).toHaveText('Quake IIIloads, but');
  await expect(quake).toContainText('Bad footsteps parm');
  await expect(quake).toContainText('lower_default.skin');
});

test('a camera that the game refuses is told of beside the model', async ({ page }) => {
  await open(page);
  await drop(page, files(`${DATA}/doom3-md5-order/good/a.md5mesh`, `${DATA}/doom3-camera-cut/bad/a.md5camera`));
  await expect(verdict(page, 'doom3').locator('summary')).toHaveText('Doom 3refused');
  await expect(verdict(page, 'doom3')).toContainText('Invalid camera cut');
});

test('what cannot be shown is judged all the same', async ({ page }) => {
  await open(page);
  await drop(page, files(`${DATA}/doom3-md5-version/bad/a.md5mesh`));
  const doom = verdict(page, 'doom3');
  await expect(doom.locator('summary')).toHaveText('Doom 3refused');
  await expect(doom.locator('.place')).toContainText('a.md5mesh:1:12');
});

test('findings can be copied and saved', async ({ page, context, browserName }) => {
  await open(page);
  await drop(page, files(`${DATA}/quake3-md3-vertices/bad/a.md3`));
  await expect(verdict(page, 'quake3')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.locator('#game').getByRole('button', { name: 'JSON' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('a.check.json');
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(saved.map(({ engine, verdict }: { engine: string; verdict: string }) => `${engine} ${verdict}`)).toEqual(['quake3 refused', 'doom3 loads']);

  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#game').getByRole('button', { name: 'Markdown' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('### Quake III: refused');
  expect(copied).toContain('(quake3-md3-vertices)');
  await page.locator('#game').getByRole('button', { name: 'Text' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('a: Quake III: refused\n  refuses: a.md3 byte 244 surface[0]: ');
});
