// In: a square in one material after the other. Out: proof by the page's pixels that textures and scripts show as in the games.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { bc5, bmp, dxt1, png, rxgb, smdSquare, square, squares, tga } from './square';
import { activity, bramble, drop, files, open, picture, text } from './support';

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
  const count = () => page.evaluate(() => (window as unknown as { blocks: number }).blocks);
  expect(await count()).toBe(takes ? 4 : 0);
  // WebGL takes no image of less than a block, so that it comes decoded.
  await drop(page, [dxt1('a.dds', 0xffe0, 2)]);
  await has(page, 'yellow');
  expect(await count()).toBe(takes ? 4 : 0);
});

test('an autosprite faces the view from wherever that is', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), unlit('{\nmap a.tga\n}'), tga('a.tga', [[RED]])]);
  await front(page);
  await has(page, 'red');
  // From the side there is nothing to be seen of a square.
  await page.keyboard.press('3');
  await expect.poll(async () => (await patches(page)).red.count).toBeLessThan(200);
  await drop(page, [unlit('deformVertexes autosprite\n{\nmap a.tga\n}')]);
  await has(page, 'red');
  await page.keyboard.press('7');
  await has(page, 'red');
});

/** The colour in the middle of the square, seen from the front. */
async function middle(page: Page): Promise<[number, number, number]> {
  const colors = await picture(page);
  const [width, height] = [page.viewportSize()!.width - 640, page.viewportSize()!.height - 160];
  return colors[Math.floor(height / 2) * width + width / 2]!;
}

type Vector = readonly [number, number, number];

/** What the shader should make of a surface straight ahead: its normal in the view's space, its colour and its highlight's, linear. */
function shaded(normal: Vector, color: number, specular = 0): number[] {
  const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = (v: Vector) => v.map((axis) => axis / Math.hypot(...v)) as unknown as Vector;
  const [key, fill, n] = [[-0.462, 0.616, 0.638], [0.857, 0.051, 0.512], unit(normal)] as [Vector, Vector, Vector];
  const shine = (light: Vector) => Math.max(4 * dot(n, unit([light[0], light[1], light[2] + 1])) - 3, 0) ** 2;
  return [0, 1, 2].map((channel) => {
    const [KEY, FILL] = [[0.8, 0.78, 0.74][channel]!, [0.13, 0.14, 0.17][channel]!];
    const [above, below] = [[0.36, 0.37, 0.4][channel]!, [0.2, 0.19, 0.18][channel]!];
    let light = below + (above - below) * (n[1] * 0.5 + 0.5);
    light += KEY * Math.max((dot(n, key) + 0.12) / 1.12, 0) + FILL * Math.max(dot(n, fill), 0);
    light += [0.13, 0.14, 0.16][channel]! * (1 - Math.max(n[2], 0)) ** 3;
    const linear = Math.min(color * light + 2 * specular * (KEY * shine(key) + FILL * shine(fill)), 1);
    return Math.round(255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
}

/** Looks at the square from the front, once it is what the page shows. */
async function front(page: Page): Promise<void> {
  await expect(page.locator('#model-name')).toHaveText('square');
  await page.keyboard.press('1');
}

/** Waits until the middle is of this colour, give or take a rounding. */
async function shows(page: Page, color: number[]): Promise<void> {
  const distance = async () => {
    const found = await middle(page);
    return Math.max(...found.map((value, channel) => Math.abs(value - color[channel]!)));
  };
  await expect.poll(distance, { message: `the middle is ${color.join(', ')}` }).toBeLessThanOrEqual(3);
}

const GREY = [128, 128, 128] as const;
/** sRGB 128 as light. */
const HALF = ((128 / 255 + 0.055) / 1.055) ** 2.4;
/** To the right and, since Doom 3 counts v downwards, down. */
const TILTED = [200, 150, 214] as const;
const bent = ([x, y, z]: readonly number[]): Vector => [x! / 127.5 - 1, 1 - y! / 127.5, z! / 127.5 - 1];

test('a normal map bends the light as its numbers say, until it is switched off', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), text('a.mtr', 'look { diffusemap d.tga bumpmap n.tga }'), tga('d.tga', [[GREY]]), tga('n.tga', [[TILTED]])]);
  await front(page);
  await shows(page, shaded(bent(TILTED), HALF));
  await page.keyboard.press('n');
  await shows(page, shaded([0, 0, 1], HALF));
});

test('a specular image shines where it should, until it is switched off', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), text('a.mtr', 'look { diffusemap d.tga specularmap s.tga }'), tga('d.tga', [[GREY]]), tga('s.tga', [[GREY]])]);
  await front(page);
  await shows(page, shaded([0, 0, 1], HALF, HALF));
  await page.keyboard.press('n');
  await shows(page, shaded([0, 0, 1], HALF));
});

test('compressed normal maps bend the light as plain ones do', async ({ page }) => {
  await open(page);
  const look = text('a.mtr', 'look { diffusemap d.tga bumpmap n.dds }');
  // Six and five bits as eight.
  const [y, z] = [(37 << 2) | (37 >> 4), (26 << 3) | (26 >> 2)];
  await drop(page, [square('look'), look, tga('d.tga', [[GREY]]), rxgb('n.dds', 200, 37, 26)]);
  await front(page);
  await shows(page, shaded(bent([200, y, z]), HALF));
  await drop(page, [bc5('n.dds', 60, 90)]);
  const [right, down] = bent([60, 90, 0]);
  await shows(page, shaded([right, down, Math.sqrt(1 - right ** 2 - down ** 2)], HALF));
});

test('a PNG keeps the colour under alpha 0 in an image program', async ({ page }) => {
  await open(page);
  const script = text('a.mtr', 'look\n{\n{\nblend none\nmap invertAlpha(a.png)\n}\n{\nblend blend\nmap invertAlpha(a.png)\n}\n}\n');
  await drop(page, [square('look'), script, png('a.png', [[...RED, 0], [...RED, 1]])]);
  await has(page, 'red');
});

test('twelve large textures reach the graphics card in small pieces', async ({ page }) => {
  await page.addInitScript(() => {
    const told = { pieces: [] as number[], tasks: [] as number[] };
    Object.assign(window, { told });
    const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['texImage2D', 'texSubImage2D']) {
      const original = prototype[name]!;
      prototype[name] = function (...args) {
        for (const arg of args) if (ArrayBuffer.isView(arg)) told.pieces.push(arg.byteLength);
        return original.apply(this, args);
      };
    }
    new PerformanceObserver((list) => told.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  });
  await open(page);
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const mesh = squares(names);
  // Made in the page: 48 MB would take long on their way there.
  await page.evaluate(
    ({ names, mesh }) => {
      const told = (window as unknown as { told: { pieces: number[]; tasks: number[] } }).told;
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(mesh), (letter) => letter.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], 'squares.md5mesh'));
      for (const name of names) {
        const image = new Uint8Array(18 + 4 * 1024 * 1024);
        image.set([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 32, 0x28]);
        for (let at = 18; at < image.length; at += 4) image.set([0, 0, 255 - (at & 31), 255], at);
        dataTransfer.items.add(new File([image], `${name}.tga`));
      }
      return new Promise<void>((resolve) => {
        setTimeout(() => {
          [told.pieces, told.tasks] = [[], []];
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
          resolve();
        }, 1000);
      });
    },
    { names, mesh: mesh.bytes.toString('base64') },
  );
  const start = Date.now();
  await expect(page.locator('#report-body')).toContainText('Textures 1');
  await expect(page.locator('#report-body')).not.toContainText('Textures', { timeout: 60_000 });
  const seconds = (Date.now() - start) / 1000;
  await page.waitForTimeout(500);
  const { pieces, tasks } = await page.evaluate(() => (window as unknown as { told: { pieces: number[]; tasks: number[] } }).told);
  console.log(`twelve textures of 1024²: ${seconds.toFixed(1)} s, ${pieces.length} uploads, tasks over 50 ms: ${tasks.map(Math.round).join(', ') || 'none'}`);
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(12 * 4 * 1024 * 1024);
  expect(Math.max(...pieces)).toBeLessThanOrEqual(256 * 1024);
  await has(page, 'red');
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

test('what another skin misses is listed apart', async ({ page }) => {
  await open(page);
  const player = 'www/public/samples/fathom/models/players/fathom';
  const names = readdirSync(join(__dirname, '../..', player)).filter((name) => /\.(md3|skin|cfg)$/.test(name));
  await drop(page, files(...names.map((name) => `${player}/${name}`)).map(({ name, bytes }) => ({ name: `models/players/fathom/${name}`, bytes })));
  await expect(page.locator('.missing-list h3')).toHaveText([/^\d+ missing textures?$/, /^\d+ more that other skins or bodies wear$/]);
  const first = page.locator('.missing .name').first();
  const before = await first.textContent();
  await page.getByLabel('Skin').selectOption('red');
  await expect(first).not.toHaveText(before!);
});

test('one row a file is missing, and an image that nothing names is told', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), text('a.mtr', 'look { diffusemap a.tga bumpmap addnormals(n.tga, heightmap(h.tga, 4)) specularmap h.tga }'), tga('a.tga', [[RED]]), tga('n.tga', [[GREY]]), tga('other.tga', [[RED]])]);
  // One row a file: of the two that the program names one is there, and the other is wanted twice.
  await expect(page.locator('.missing .name')).toHaveText(['h.tga']);
  await expect(page.locator('.missing .aside')).toHaveText('bump, specular');
  await expect(page.locator('.finding.note')).toContainText('other.tga: no material of this model names it');
  await drop(page, [tga('third.tga', [[RED]])]);
  await expect(page.getByRole('status')).toHaveText('Added third.tga: no material of this model names it');
});

test('a look that is guessed is told as such', async ({ page }) => {
  await open(page);
  await drop(page, [square('look'), tga('look_d.tga', [[RED]]), tga('look_local.tga', [[GREY]])]);
  await expect(page.locator('.finding.note')).toContainText('look: dressed by a guess by name: _d, _local');
});
