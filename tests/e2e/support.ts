// In: files and gestures of a test. Out: the page behaves as if a person had made them.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('../../', import.meta.url));

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

/** A fingerprint of the picture, and how much of it is covered by something. */
export async function picture(page: Page): Promise<{ print: string; covered: number }> {
  return page.evaluate(async () => {
    const source = document.querySelector<HTMLCanvasElement>('#canvas')!;
    // The drawing buffer may be gone by now; what the page shows is not: a frame is taken as it is presented.
    const small = document.createElement('canvas');
    [small.width, small.height] = [96, 60];
    const context = small.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(source, 0, 0, small.width, small.height);
    const { data } = context.getImageData(0, 0, small.width, small.height);
    let covered = 0;
    let print = '';
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3]! > 200) covered++;
      print += String.fromCharCode(65 + (data[at]! >> 4), 65 + (data[at + 1]! >> 4), 65 + (data[at + 2]! >> 4));
    }
    return { print, covered: covered / (data.length / 4) };
  });
}

/** Animation frames asked for and GL calls made within a while. */
export async function activity(page: Page, milliseconds: number): Promise<{ frames: number; draws: number }> {
  return page.evaluate(async (wait) => {
    const counts = { frames: 0, draws: 0 };
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => (counts.frames++, request.call(window, callback));
    const prototype = WebGL2RenderingContext.prototype;
    const { drawElements, clear } = prototype;
    prototype.drawElements = function (...args) {
      counts.draws++;
      drawElements.apply(this, args);
    };
    prototype.clear = function (...args) {
      counts.draws++;
      clear.apply(this, args);
    };
    await new Promise((resolve) => setTimeout(resolve, wait));
    window.requestAnimationFrame = request;
    Object.assign(prototype, { drawElements, clear });
    return counts;
  }, milliseconds);
}

/** The frame that the bar shows. */
export async function frame(page: Page): Promise<number> {
  return Number((await page.locator('#frame-now').textContent())!.split('/')[0]);
}

export async function pause(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
}
