// In: .qc, .smd and .vta files. Out: they are put together as Valve's compilers would, and dressed, posed and pulled by hand.
import { expect, test, type Page } from '@playwright/test';
import { coloured, drop, dropFolder, frame, open, pause, picture, text } from './support';

const TOCK = 'www/public/samples/tock';
const MURMUR = 'www/public/samples/murmur';

test('a folder with a .qc: another body, another skin, another sequence', async ({ page }) => {
  test.slow();
  await open(page);
  await dropFolder(page, TOCK);
  await expect(page.locator('#model-name')).toHaveText('tock');
  await expect(page.locator('#model-format')).toHaveText('QC');
  await expect(page.locator('#report-body')).toHaveText('No problems found.');
  await pause(page);
  await page.getByRole('slider', { name: 'Time in the clip' }).fill('0');
  await expect.poll(() => coloured(page), 'its textures are there').toBeGreaterThan(0.02);

  const facts = page.locator('#facts-body');
  const triangles = page.locator('.facts dd').first();
  const withClaw = (await triangles.textContent())!;
  expect(Number(withClaw.replace(',', ''))).toBeGreaterThan(1000);
  const claw = await settled(page);
  await page.getByLabel('tool').selectOption('tock_lamp');
  await expect(triangles).not.toHaveText(withClaw);
  await expect.poll(() => differs(page, claw), 'the lamp is seen').toBeGreaterThan(200);

  const green = await settled(page);
  expect(await share(page, teal)).toBeGreaterThan(0.02);
  await page.getByLabel('Skin').selectOption('skin 1');
  await expect.poll(() => share(page, teal), 'rust took the teal').toBeLessThan(0.005);
  await page.getByLabel('Skin').selectOption('skin 0');
  await expect.poll(() => differs(page, green), 'and gave it back').toBeLessThan(20);

  await page.getByRole('button', { name: 'walk' }).click();
  await expect(page.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => frame(page)).toBeGreaterThan(0);
  const marks = page.locator('.mark');
  expect(await marks.evaluateAll((list) => list.map((mark) => (mark as HTMLElement).title))).toEqual(['Frame 1: 1003 left', 'Frame 13: 1003 right']);
  for (const mark of await marks.all()) await expect(mark).toBeVisible();
  await page.getByRole('button', { name: 'greet' }).click();
  await expect(marks).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'false');

  // Boxes and attachments stand over the model.
  await pause(page);
  const bare = await settled(page);
  await page.keyboard.press('h');
  await expect.poll(() => differs(page, bare)).toBeGreaterThan(200);
  await page.keyboard.press('a');
  await expect(page.getByText('attachment 1')).toBeVisible();
  await expect(facts.getByText('From the files')).toBeVisible();
  await facts.getByText('From the files').click();
  await expect(facts).toContainText('head ZR -60 60');
});

test('shapes are pulled one by one and together', async ({ page }) => {
  test.slow();
  await open(page);
  await dropFolder(page, MURMUR);
  await expect(page.locator('#model-name')).toHaveText('murmur');
  await page.getByRole('button', { name: 'No clip' }).click();
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.02);
  const rest = await settled(page);
  for (const flex of ['smile', 'frown', 'blink', 'jaw_open', 'brows_up', 'pucker']) {
    const slider = page.getByRole('slider', { name: flex });
    await slider.fill('1');
    await expect.poll(() => differs(page, rest), `${flex} moves the face`).toBeGreaterThan(50);
    await slider.fill('0');
  }
  await page.getByRole('slider', { name: 'smile' }).fill('1');
  await expect.poll(() => differs(page, rest)).toBeGreaterThan(50);
  const smiling = await settled(page);
  await page.getByRole('slider', { name: 'blink' }).fill('1');
  await expect.poll(() => differs(page, smiling), 'two shapes add up').toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Reset shapes' }).click();
  await expect.poll(() => differs(page, rest)).toBeLessThan(10);
});

test('a model brought while another loads gets its own textures', async ({ page }) => {
  // Slow images of the first model arrive when the second stands.
  await open(page);
  await dropFolder(page, MURMUR);
  await expect(page.locator('#model-name')).toHaveText('murmur');
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.02);
  await page.waitForTimeout(1500);
  expect(await share(page, ([r, g, b]) => b > 200 && b > r + 60 && b > g + 60), 'no blue of a bump map').toBeLessThan(0.01);
});

test('raw files: 30 frames a second until told otherwise, parts to hide, a skeleton without a mesh', async ({ page }) => {
  await open(page);
  await drop(page, [text('man.smd', part('1', 0)), text('hand.smd', part('1', 8)), text('rise.smd', RISE)]);
  await expect(page.locator('#model-format')).toHaveText('SMD');
  await expect(page.locator('#fps')).toHaveValue('30');
  await expect(page.locator('#frame-now')).toContainText('/ 10');
  await page.locator('#fps').fill('15');
  await page.locator('#fps').press('Enter');
  await expect(page.locator('#speed option:checked')).toHaveText('0.5×');
  await pause(page);
  await page.getByRole('slider', { name: 'Time in the clip' }).fill('0');
  const whole = await settled(page);
  await page.getByRole('combobox', { name: 'hand' }).selectOption('hidden');
  await expect.poll(() => differs(page, whole)).toBeGreaterThan(200);

  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-ready', 'yes');
  await drop(page, [text('rise.smd', RISE)]);
  await expect(page.locator('#model-name')).toHaveText('rise');
  await expect.poll(() => coloured(page), 'the joints are drawn').toBeGreaterThan(0.0002);
});

test('a script without its files says what it looked for, and takes them when they come', async ({ page }) => {
  await open(page);
  const script = '$body body "parts/man"\n$sequence rise "rise" fps 12\n';
  await drop(page, [text('man.qc', script)]);
  await expect(page.locator('#report .finding.error', { hasText: 'no file `parts/man.smd`, `man.smd`' })).toBeVisible();
  await drop(page, [text('man.qc', script), text('man.smd', part('1', 0))]);
  await expect(page.locator('#model-name')).toHaveText('man');
  await expect(page.locator('#report .finding.error')).toContainText('no file `rise.smd`');
  await drop(page, [text('rise.smd', RISE)]);
  await expect(page.getByRole('button', { name: 'rise' })).toBeVisible();
  await expect(page.locator('#report .finding.error')).toHaveCount(0);
});

const NODES = 'version 1\nnodes\n0 "root" -1\n1 "arm" 0\nend\nskeleton\n';

/** A wall on a joint, so many units to the side. */
function part(joint: string, y: number): string {
  const corner = (at: string) => `${joint} ${at} 0 0 1 0 0\n`;
  const triangle = (a: string, b: string, c: string) => `wall.bmp\n${corner(a)}${corner(b)}${corner(c)}`;
  const [a, b, c, d] = [`0 ${y} 0`, `0 ${y + 6} 0`, `0 ${y + 6} 8`, `0 ${y} 8`];
  // Both sides of it.
  const sides = [triangle(a!, b!, c!), triangle(a!, c!, d!), triangle(c!, b!, a!), triangle(d!, c!, a!)];
  return `${NODES}time 0\n0 0 0 0 0 0 0\n1 0 0 5 0 0 0\nend\ntriangles\n${sides.join('')}end\n`;
}

/** The arm rises by a unit a frame. */
const RISE = `${NODES}${Array.from({ length: 11 }, (_, time) => `time ${time}\n0 0 0 0 0 0 0\n1 0 0 ${5 + time} 0 0 0\n`).join('')}end\n`;

type Colour = [number, number, number];

const teal = ([r, g, b]: Colour) => g > r + 30 && b > r + 15;

/** How much of the picture is of a colour. */
async function share(page: Page, is: (colour: Colour) => boolean): Promise<number> {
  const colours = await picture(page);
  return colours.filter(is).length / colours.length;
}

/** The picture, once it stands still. */
async function settled(page: Page): Promise<Colour[]> {
  for (let before = await picture(page); ; ) {
    await page.waitForTimeout(300);
    const now = await picture(page);
    if (unlike(before, now) === 0) return now;
    before = now;
  }
}

async function differs(page: Page, from: Colour[]): Promise<number> {
  return unlike(from, await picture(page));
}

/** How many pixels are clearly of another colour. */
function unlike(a: Colour[], b: Colour[]): number {
  return a.filter((colour, index) => colour.some((value, channel) => Math.abs(value - b[index]![channel]!) > 24)).length;
}
