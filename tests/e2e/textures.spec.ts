// In: a square in one material after the other. Out: proof by the page's pixels that textures and scripts show as in the games.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { bmp, dxt1, smdSquare, square, tga } from './square';
import { activity, bramble, drop, files, open, text } from './support';

const RED = [255, 0, 0] as const;
const GREEN = [0, 255, 0] as const;
const BLUE = [0, 0, 255] as const;
const WHITE = [255, 255, 255] as const;

interface Patch {
  /** Pixels. */
  count: number;
  x: number;
  y: number;
}

/** How much of the picture is fully of each colour, and where the middle of that is. */
async function patches(page: Page): Promise<Record<'red' | 'green' | 'blue' | 'yellow' | 'magenta', Patch>> {
  const png = (await page.screenshot({ clip: { x: 320, y: 80, width: 640, height: 560 } })).toString('base64');
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const names = { 100: 'red', '010': 'green', '001': 'blue', 110: 'yellow', 101: 'magenta' } as Record<string, string>;
    const found = Object.fromEntries(Object.values(names).map((name) => [name, { count: 0, x: 0, y: 0 }]));
    for (let at = 0; at < data.length; at += 4) {
      const bits = [0, 1, 2].map((channel) => (data[at + channel]! > 200 ? '1' : data[at + channel]! < 60 ? '0' : '-')).join('');
      const patch = found[names[bits]!];
      if (!patch) continue;
      patch.count++;
      patch.x += (at / 4) % image.width;
      patch.y += Math.floor(at / 4 / image.width);
    }
    for (const patch of Object.values(found)) {
      patch.x /= patch.count || 1;
      patch.y /= patch.count || 1;
    }
    return found as never;
  }, png);
}

const unlit = (stages: string) => text('q.shader', `look\n{\n${stages}\n}\n`);

/** Waits until the patch is there. */
async function has(page: Page, color: keyof Awaited<ReturnType<typeof patches>>): Promise<void> {
  // Asked once in two seconds, an animation of that length would always show the same image.
  await expect.poll(async () => (await patches(page))[color].count, { intervals: [100, 300] }).toBeGreaterThan(2000);
}

for (const origin of ['bottom-left', 'bottom-right', 'top-left', 'top-right']) {
  test(`a TGA whose rows start ${origin} stands upright`, async ({ page }) => {
    await open(page);
    const image = readFileSync(join(__dirname, `../data/images/tga-origin-${origin}/a.tga`));
    await drop(page, [square('look'), unlit('{\nclampmap a.tga\n}'), { name: 'a.tga', bytes: image }]);
    await has(page, 'red');
    // The file's comment: red, green, blue in the upper row.
    const { red, green, blue } = await patches(page);
    expect(red.x).toBeLessThan(green.x);
    expect(green.x).toBeLessThan(blue.x);
    const canvas = (await page.locator('#canvas').boundingBox())!;
    expect(red.y + 80).toBeLessThan(canvas.y + canvas.height / 2);
    // Quake III's ways are no news to a model for Doom 3, which knows top and bottom but not right.
    await expect(page.locator('.finding.note')).toHaveCount(origin.endsWith('right') ? 1 : 0);
  });
}

test('the alpha test cuts holes', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), unlit('{\nclampmap a.tga\nalphaFunc GE128\n}'), tga('a.tga', [[[...RED, 255], [...GREEN, 0]]])]);
  await has(page, 'red');
  const { red, green } = await patches(page);
  expect(green.count).toBeLessThan(red.count / 50);
});

test('an additive stage adds its light to the one below', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), unlit('{\nmap a.tga\n}\n{\nmap b.tga\nblendFunc add\n}'), tga('a.tga', [[RED]]), tga('b.tga', [[GREEN]])]);
  await has(page, 'yellow');
});

test('chrome moves with the view', async ({ page }) => {
  await open(page);
  await drop(page, [smdSquare('chrome.bmp'), bmp('chrome.bmp', [RED, RED, BLUE, BLUE])]);
  await page.locator('#canvas').focus();
  let most = 0;
  let least = 1;
  for (let step = 0; step < 10; step++) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(100);
    const { red, blue } = await patches(page);
    const share = red.count / Math.max(red.count + blue.count, 1);
    most = Math.max(most, share);
    least = Math.min(least, share);
  }
  expect(most - least).toBeGreaterThan(0.3);
});

test('an animMap shows its images in turn, and only that keeps the page drawing', async ({ page }) => {
  await open(page);
  const images = [tga('a.tga', [[RED]]), tga('b.tga', [[BLUE]])];
  await drop(page, [square('look'), unlit('{\nmap a.tga\n}'), ...images]);
  await has(page, 'red');
  expect(await activity(page, 600)).toEqual({ frames: 0, gl: 0 });
  await drop(page, [unlit('{\nanimMap 1 a.tga b.tga\n}')]);
  await has(page, 'blue');
  await has(page, 'red');
  expect((await activity(page, 600)).frames).toBeGreaterThan(0);
  await page.keyboard.press('t');
  await page.waitForTimeout(300);
  expect((await activity(page, 600)).frames).toBe(0);
});

test('a Doom 3 colour follows its table as time goes by', async ({ page }) => {
  await open(page);
  const script = text('a.mtr', 'table blink { snap { 0, 1 } }\nlook\n{\n{\nblend none\nmap a.tga\n}\n{\nmap a.tga\nred blink[ time * 0.5 ]\nblue blink[ time * 0.5 + 0.5 ]\ngreen 0\n}\n}\n');
  await drop(page, [square('look'), script, tga('a.tga', [[WHITE]])]);
  await has(page, 'red');
  await has(page, 'blue');
});

test('what shows the entity’s colour can be given one', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), unlit('{\nmap a.tga\nrgbGen entity\n}'), tga('a.tga', [[WHITE]])]);
  await page.getByLabel('Entity colour').fill('#ff00ff');
  await has(page, 'magenta');
});

test('DXT blocks go to the graphics card as they are', async ({ page }) => {
  await page.addInitScript(() => {
    const { compressedTexImage2D } = WebGL2RenderingContext.prototype;
    Object.assign(window, { blocks: 0 });
    WebGL2RenderingContext.prototype.compressedTexImage2D = function (...args: unknown[]) {
      (window as unknown as { blocks: number }).blocks++;
      (compressedTexImage2D as (...args: unknown[]) => void).apply(this, args);
    };
  });
  await open(page);
  const takes = await page.evaluate(() => document.createElement('canvas').getContext('webgl2')!.getExtension('WEBGL_compressed_texture_s3tc_srgb') !== null);
  await drop(page, [square('look'), unlit('{\nmap a.dds\n}'), dxt1('a.dds', 0xf800)]);
  await has(page, 'red');
  expect(await page.evaluate(() => (window as unknown as { blocks: number }).blocks)).toBe(takes ? 2 : 0);
});

test('missing images are listed once, copied with one click, and filled by a later drop', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await drop(page, [square('look'), unlit('{\nmap textures/a.tga\n}\n{\nmap textures/a.tga\nblendFunc add\n}')]);
  await expect(page.locator('.missing')).toHaveCount(1);
  await expect(page.locator('#report-badge')).toHaveText('1');
  await expect(page.locator('.finding')).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy all missing textures' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^textures\/a\.tga\n {2}textures\/a\.tga\n/);
  await drop(page, [tga('a.tga', [[RED]])]);
  await has(page, 'red');
  await expect(page.locator('.missing')).toHaveCount(0);
  await expect(page.locator('#report-badge')).toBeHidden();
});

test('the badge counts each missing image once', async ({ page }) => {
  await open(page);
  await drop(page, files(bramble.mesh));
  const rows = await page.locator('.missing').count();
  await expect(page.locator('#report-badge')).toHaveText(String(rows));
});

test('a .vtf is named as a file that is not read', async ({ page }) => {
  await open(page);
  await drop(page, [smdSquare('skin'), text('skin.vmt', '"VertexLitGeneric" { "$basetexture" "skin" }'), text('skin.vtf', 'VTF')]);
  await page.locator('.missing summary').click();
  await expect(page.locator('.missing')).toContainText('skin.vtf');
  await expect(page.locator('.missing')).toContainText('does not read');
});
