// In: files and gestures of a test. Out: the page behaves as if a person had made them.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type Page } from '@playwright/test';

const root = join(__dirname, '../..');

export interface TestFile {
  name: string;
  bytes: Buffer;
}

/** Files of the repository. */
export function files(...paths: string[]): TestFile[] {
  return paths.map((path) => ({ name: basename(path), bytes: readFileSync(join(root, path)) }));
}

const BRAMBLE = 'www/public/samples/bramble/models/md5/bramble';

export const bramble = {
  mesh: `${BRAMBLE}/bramble.md5mesh`,
  walk: `${BRAMBLE}/walk.md5anim`,
  idle: `${BRAMBLE}/idle.md5anim`,
  camera: `${BRAMBLE}/around.md5camera`,
  /** The material script and the images it names. */
  looks: [
    'www/public/samples/bramble/materials/bramble.mtr',
    ...['bramble', 'bramble_local', 'bramble_s', 'bramble_eye'].map((name) => `${BRAMBLE}/${name}.tga`),
  ],
};

export function text(name: string, content: string): TestFile {
  return { name, bytes: Buffer.from(content) };
}

/** Opens the page and waits until its first model stands. */
export async function open(page: Page): Promise<void> {
  page.on('pageerror', (error) => expect.soft(error.message, 'no error in the page').toBe(''));
  await page.goto('');
  await expect(page.locator('html')).toHaveAttribute('data-ready', 'yes');
}

/** Drops files onto the middle of the window. */
export async function drop(page: Page, list: TestFile[]): Promise<void> {
  const plain = list.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
  await page.evaluate((incoming) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of incoming) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, plain);
}

/** The picture as it is now, to compare with another. */
export async function canvas(page: Page): Promise<string> {
  return (await page.locator('#canvas').screenshot({ animations: 'disabled' })).toString('base64');
}

/** How much of the picture between the panels is coloured: the dressed creature is, clay, grid and ground are not. */
export async function coloured(page: Page): Promise<number> {
  const colours = await picture(page);
  return colours.filter(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 50).length / colours.length;
}

/** The colours of the picture between the panels. */
export async function picture(page: Page): Promise<[number, number, number][]> {
  const { width, height } = page.viewportSize()!;
  const side = width > 860 ? 320 : 10;
  const clip = { x: side, y: 80, width: width - 2 * side, height: height - 160 };
  const png = (await page.screenshot({ clip })).toString('base64');
  const bytes = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    // As a text it crosses to the test in one piece.
    return context.getImageData(0, 0, image.width, image.height).data.reduce((text, byte) => text + String.fromCharCode(byte), '');
  }, png);
  const at = (index: number) => bytes.charCodeAt(index);
  return Array.from({ length: bytes.length / 4 }, (_, index) => [at(index * 4), at(index * 4 + 1), at(index * 4 + 2)]);
}

/** Drops folders of the disk as a file manager does. */
export async function dropFolder(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(root, path)], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 360, data });
  }
}

/** Animation frames asked for and calls to WebGL within a while. */
export async function activity(page: Page, milliseconds: number): Promise<{ frames: number; gl: number }> {
  return page.evaluate(async (wait) => {
    const counts = { frames: 0, gl: 0 };
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => (counts.frames++, request.call(window, callback));
    const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, unknown>;
    const own: [string, unknown][] = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => (typeof value === 'function' ? [[name, value]] : []));
    for (const [name, call] of own) {
      prototype[name] = function (this: unknown, ...all: unknown[]) {
        counts.gl++;
        return (call as (...all: unknown[]) => unknown).apply(this, all);
      };
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    window.requestAnimationFrame = request;
    Object.assign(prototype, Object.fromEntries(own));
    return counts;
  }, milliseconds);
}

/** Makes the page believe that its tab was left, or is looked at again. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** The frame that the bar shows, or the first of the two it is between. */
export async function frame(page: Page): Promise<number> {
  return parseInt((await page.locator('#frame-now').textContent())!, 10);
}

export async function pause(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
}
