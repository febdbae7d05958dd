// In: a Quake III player's files, dropped. Out: he stands whole, changes his skin, and moves legs and torso apart.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { coloured, drop, files, open, pause, type TestFile } from './support';

const FATHOM = 'www/public/samples/fathom';
const root = join(__dirname, '../..');
const OPENARENA = join(root, '../shared/models/md3/openarena');

/** Every file of the sample player, his weapon and his shader script, as loose files. */
function player(): TestFile[] {
  const folders = ['models/players/fathom', 'models/weapons2/harpoon', 'scripts'];
  return folders.flatMap((folder) => files(...readdirSync(join(root, FATHOM, folder)).map((name) => `${FATHOM}/${folder}/${name}`)));
}

async function dropPlayer(page: Page): Promise<void> {
  await open(page);
  await drop(page, player());
  await expect(page.locator('#model-format')).toHaveText('Quake III player');
}

test('loose files make a player of all his parts, with a weapon in his hand', async ({ page }) => {
  await dropPlayer(page);
  await expect(page.locator('#report-badge')).toBeHidden();
  await page.getByText('Meshes (').click();
  const meshes = page.locator('details', { hasText: 'Meshes (' }).last().locator('li');
  for (const part of ['lower', 'upper', 'head', 'weapon', 'barrel', 'flash']) await expect(meshes.filter({ hasText: `${part} / ` }).first()).toBeVisible();
  await expect(clip(page, 'LEGS_IDLE')).toHaveAttribute('aria-pressed', 'true');
  await expect(clip(page, 'TORSO_STAND')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.01);

  // His tags stand one above the other, with their names.
  await page.keyboard.press('a');
  const label = (name: string) => page.locator('#labels span', { hasText: name });
  for (const name of ['upper/tag_head', 'lower/tag_torso']) await expect(label(name)).toBeVisible();
  const height = async (name: string) => (await label(name).boundingBox())!.y;
  expect(await height('upper/tag_head')).toBeLessThan(await height('lower/tag_torso'));
  // Names that would cover others may be left out.
  for (const name of ['upper/tag_weapon', 'weapon/tag_flash']) await expect(label(name)).toHaveCount(1);
});

test('a skin dresses all of him', async ({ page }) => {
  await dropPlayer(page);
  await pause(page);
  const skin = page.getByLabel('Skin');
  await expect(skin.locator('option')).toHaveText(['default', 'red', 'blue']);
  await page.getByText('Meshes (').click();
  const worn = page.locator('details', { hasText: 'Meshes (' }).last().locator('li .path');
  await expect.poll(() => redness(page), 'his suit is of cream and brass').toBeGreaterThan(4);
  const plain = await redness(page);
  await skin.selectOption('blue');
  await expect(worn.filter({ hasText: '_blue' })).not.toHaveCount(0);
  await expect.poll(() => redness(page), 'all of it is blue').toBeLessThan(plain - 2);
  const blue = await redness(page);
  await skin.selectOption('red');
  await expect(worn.filter({ hasText: '_red' })).not.toHaveCount(0);
  await expect(worn.filter({ hasText: '_blue' })).toHaveCount(0);
  await expect.poll(() => redness(page), 'all of it is red').toBeGreaterThan(blue + 3);
  // What is dropped later leaves the skin on.
  await drop(page, files(`${FATHOM}/models/players/fathom/fathom_red.jpg`));
  await expect(page.getByRole('status')).toContainText('Added');
  await expect(skin).toHaveValue('red');
});

test('legs and torso move apart, and the whole body together', async ({ page }) => {
  await dropPlayer(page);
  // The ground's shadow follows the arms, and his suit's reflections move by themselves.
  for (const name of ['Grid', 'Textures']) await page.getByRole('switch', { name }).uncheck();
  const pressed = (name: string) => clip(page, name);
  /** His legs and what is above them, at the same moment of both clips. */
  const halves = async (legs: string, torso: string) => {
    for (const name of [legs, torso]) await pressed(name).click();
    await page.getByRole('slider', { name: 'Time in the clip' }).fill('0.3');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await page.waitForTimeout(400);
    const { height } = page.viewportSize()!;
    return { legs: await pixels(page, height * 0.7, height * 0.86), torso: await pixels(page, height * 0.12, height * 0.5) };
  };
  const stand = await halves('LEGS_IDLE', 'TORSO_STAND');
  const gesture = await halves('LEGS_IDLE', 'TORSO_GESTURE');
  expect(difference(gesture.legs, stand.legs), 'the legs stand on').toBeLessThan(0.001);
  expect(difference(gesture.torso, stand.torso), 'the torso moves').toBeGreaterThan(0.01);
  const run = await halves('LEGS_RUN', 'TORSO_GESTURE');
  expect(difference(run.legs, gesture.legs), 'the legs run').toBeGreaterThan(0.01);
  await expect(pressed('TORSO_GESTURE')).toHaveAttribute('aria-pressed', 'true');

  await pressed('BOTH_DEATH1').click();
  await expect(pressed('BOTH_DEATH1')).toHaveAttribute('aria-pressed', 'true');
  for (const name of ['LEGS_RUN', 'TORSO_GESTURE']) await expect(pressed(name)).toHaveAttribute('aria-pressed', 'false');
  // He falls once and lies.
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await pressed('LEGS_WALK').click();
  await expect(pressed('TORSO_STAND')).toHaveAttribute('aria-pressed', 'true');
});

test('a part alone plays all its frames at a rate to choose', async ({ page }) => {
  await open(page);
  await drop(page, files(`${FATHOM}/models/players/fathom/lower.md3`));
  await expect(page.locator('#model-format')).toHaveText('MD3');
  await expect(page.getByRole('button', { name: 'all frames' })).toHaveAttribute('aria-pressed', 'true');
  const rate = page.locator('#fps');
  await expect(rate).toHaveValue('10');
  await rate.fill('25');
  await rate.press('Enter');
  await expect(page.locator('#speed option:checked')).toHaveText('2.5×');
  await page.getByText('Frame names (').click();
  await expect(page.locator('#facts-body')).toContainText('death10');
});

test('real players are listed, with their levels of detail', async ({ page }) => {
  if (!existsSync(OPENARENA)) console.log(`skipped: no ${OPENARENA}`);
  test.skip(!existsSync(OPENARENA), 'no real models beside the repository');
  await open(page);
  await page.locator('#folder-input').setInputFiles(OPENARENA);
  const listed = page.getByRole('treeitem').filter({ hasText: 'Quake III player' });
  await expect(listed).toHaveCount(2);
  await listed.filter({ hasText: 'sarge' }).click();
  await expect(page.locator('#model-name')).toHaveText('sarge');
  await expect(page.getByLabel('Skin').locator('option')).toHaveCount(7);
  const triangles = page.locator('.facts dd').first();
  const finest = Number((await triangles.textContent())!.replace(/\D/g, ''));
  await page.getByLabel('Detail').selectOption('Level 2');
  await expect.poll(async () => Number((await triangles.textContent())!.replace(/\D/g, ''))).toBeLessThan(finest);
});

/** The row of a clip: its name, then its length. */
function clip(page: Page, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^${name} `) });
}

/** How much redder than blue the picture between the panels is, on average, of 255. */
async function redness(page: Page): Promise<number> {
  const { height } = page.viewportSize()!;
  const data = await pixels(page, 90, height - 130);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += data[at]! - data[at + 2]!;
  return sum / (data.length / 4);
}

/** The share of pixels that are clearly others. */
function difference(before: Uint8Array, after: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < before.length; at += 4) if (Math.abs(before[at]! - after[at]!) > 16) count++;
  return count / (before.length / 4);
}

/** The picture between the panels from one height of the window to another, four bytes a pixel. */
async function pixels(page: Page, from: number, to: number): Promise<Uint8Array> {
  const { width } = page.viewportSize()!;
  const png = await page.screenshot({ clip: { x: 340, y: from, width: width - 680, height: to - from } });
  const bytes = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, image.width, image.height).data];
  }, png.toString('base64'));
  return Uint8Array.from(bytes);
}
