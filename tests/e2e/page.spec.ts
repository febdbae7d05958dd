// In: the built site. Out: what a first visit shows, and that it costs nothing when nothing moves.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { activity, coloured, open, pause, setHidden } from './support';

test('the page opens on the first sample, dressed and moving', async ({ page }) => {
  await open(page);
  await expect(page.locator('#model-name')).toHaveText('bramble');
  await expect(page.getByRole('button', { name: 'idle' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.locator('#report-badge')).toBeHidden();
  await expect.poll(() => page.locator('#progress').isHidden()).toBe(true);
  const share = await coloured(page);
  expect(share).toBeGreaterThan(0.05);
  expect(share).toBeLessThan(0.6);
});

test('the creature looks as it did', async ({ page }) => {
  await open(page);
  await expect.poll(() => coloured(page)).toBeGreaterThan(0.05);
  await page.getByRole('button', { name: 'No clip' }).click();
  await page.waitForTimeout(3000);
  // Only the picture: letters look different from system to system.
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('.bar, .panel, #status')) element.style.visibility = 'hidden';
  });
  // One in a hundred pixels may differ: drivers smooth edges in their own ways.
  await expect(page).toHaveScreenshot('creature.png', { maxDiffPixelRatio: 0.01 });
});

test('a saved picture has the model alone, all of it, between clear edges', async ({ page }) => {
  await open(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save picture' }).click()]);
  expect(download.suggestedFilename()).toBe('bramble.png');
  const base64 = readFileSync(await download.path()).toString('base64');
  const seen = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    const [width, height] = [(canvas.width = image.width), (canvas.height = image.height)];
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const opaque = (x: number, y: number, w: number, h: number) => context.getImageData(x, y, w, h).data.filter((value, at) => at % 4 === 3 && value > 0).length;
    return {
      edges: opaque(0, 0, width, 2) + opaque(0, height - 2, width, 2) + opaque(0, 0, 2, height) + opaque(width - 2, 0, 2, height),
      all: opaque(0, 0, width, height) / (width * height),
    };
  }, base64);
  expect(seen.edges).toBe(0);
  expect(seen.all).toBeGreaterThan(0.05);
});

test('for five seconds nothing is drawn and no frame is asked for while nothing moves, and while the tab is hidden', async ({ page }) => {
  await open(page);
  const playing = await activity(page, 1000);
  expect(Math.min(playing.frames, playing.gl)).toBeGreaterThan(0);
  await setHidden(page, true);
  await page.waitForTimeout(500);
  expect(await activity(page, 5000), 'playing, hidden').toEqual({ frames: 0, gl: 0 });
  await setHidden(page, false);
  expect((await activity(page, 1000)).gl, 'looked at again').toBeGreaterThan(0);
  await pause(page);
  await page.waitForTimeout(500);
  expect(await activity(page, 5000), 'paused').toEqual({ frames: 0, gl: 0 });
  await page.getByRole('button', { name: 'Play' }).click();
  expect((await activity(page, 1000)).gl).toBeGreaterThan(0);
});

test('every control has a name', async ({ page }) => {
  await open(page);
  const nameless = await page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>('button, input, select, summary, canvas, [role=tree]');
    const named = (control: HTMLElement) =>
      control.getAttribute('aria-label') || control.textContent!.trim() || (control as HTMLInputElement).labels?.[0]?.textContent!.trim();
    return [...controls].filter((control) => !named(control)).map((control) => control.outerHTML.slice(0, 120));
  });
  expect(nameless).toEqual([]);
});

test('at 360 pixels nothing sticks out, and the panels open as a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(page);
  const wide = await page.evaluate(() => {
    const visible = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => element.checkVisibility() && !element.closest('#labels'));
    return visible.filter((element) => element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.outerHTML.slice(0, 100));
  });
  expect(wide).toEqual([]);
  await expect(page.getByLabel('Speed')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { name: 'Clips' })).toBeHidden();
  await page.getByRole('button', { name: 'Panels' }).click();
  await expect(page.getByRole('heading', { name: 'Clips' })).toBeVisible();
  await page.getByRole('button', { name: 'walk' }).click();
  await expect(page.getByRole('button', { name: 'walk' })).toHaveAttribute('aria-pressed', 'true');
});

test('a browser without WebGL 2 is told so', async ({ page }) => {
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind === 'webgl2' ? null : (get as (...all: unknown[]) => unknown).call(this, kind, ...rest);
    } as typeof get;
  });
  await page.goto('');
  await expect(page.getByRole('status')).toContainText('WebGL 2');
});

test('a browser without wasm SIMD is told so', async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.goto('');
  await expect(page.getByRole('status')).toContainText('SIMD');
});

test('the picture comes back after the graphics driver was reset', async ({ page }) => {
  await open(page);
  await pause(page);
  const before = await coloured(page);
  expect(before).toBeGreaterThan(0.05);
  await page.locator('#canvas').evaluate((canvas: HTMLCanvasElement) => {
    const extension = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
    canvas.addEventListener('webglcontextlost', () => setTimeout(() => extension.restoreContext(), 100));
    extension.loseContext();
  });
  await expect(page.getByRole('status')).toContainText('reset');
  // Textures are back too: the creature's colours, not clay.
  await expect.poll(() => coloured(page)).toBeGreaterThan(before * 0.95);
});
