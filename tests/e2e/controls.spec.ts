// In: mouse, keys and fingers. Out: the clip and the camera follow.
import { expect, test, type Page } from '@playwright/test';
import { canvas, coloured, frame, open, pause } from './support';

test('play, pause, step, scrub, speed and loop', async ({ page }) => {
  await open(page);
  const before = await frame(page);
  await expect.poll(() => frame(page)).not.toBe(before);
  await pause(page);
  const still = await frame(page);
  await page.waitForTimeout(300);
  expect(await frame(page)).toBe(still);

  await page.getByRole('slider', { name: 'Time in the clip' }).fill('1');
  expect(await frame(page)).toBe(24);
  await expect(page.locator('#seconds-now')).toHaveText('1.00 s');
  await page.getByRole('button', { name: 'Next frame' }).click();
  expect(await frame(page)).toBe(25);
  await page.getByRole('button', { name: 'Previous frame' }).click();
  await page.getByRole('button', { name: 'Previous frame' }).click();
  expect(await frame(page)).toBe(23);

  await page.getByLabel('Speed').selectOption('0.5');
  await expect(page.locator('#fps')).toHaveValue('12');
  await page.locator('#fps').fill('30');
  await page.locator('#fps').press('Enter');
  await expect(page.locator('#speed option:checked')).toHaveText('1.25×');

  await page.getByRole('button', { name: 'Loop' }).click();
  await page.getByRole('slider', { name: 'Time in the clip' }).fill('4.9');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(page.locator('#frame-now')).toHaveText('120 / 120');
});

test('keys do what the help says', async ({ page }) => {
  await open(page);
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  const at = Math.floor(await frame(page));
  await page.keyboard.press('.');
  expect(await frame(page)).toBe(at + 1);
  await page.keyboard.press(',');
  expect(await frame(page)).toBe(at);
  await page.keyboard.press(']');
  await expect(page.getByRole('button', { name: 'roar' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press(' ');

  await page.waitForTimeout(200);
  const plain = await shot(page);
  await page.keyboard.press('w');
  await expect(page.getByRole('switch', { name: 'Wireframe' })).toBeChecked();
  await expect.poll(() => shot(page)).not.toBe(plain);
  await page.keyboard.press('w');

  await page.locator('#canvas').focus();
  for (const key of ['ArrowLeft', 'Shift+ArrowUp', '+', 'f']) {
    const last = await shot(page);
    await page.keyboard.press(key);
    await expect.poll(() => shot(page), `${key} moves the camera`).not.toBe(last);
    await page.waitForTimeout(700);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the mouse turns, moves and zooms', async ({ page }) => {
  await open(page);
  await pause(page);
  const middle = { x: 640, y: 360 };
  const drag = async (button: 'left' | 'right') => {
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down({ button });
    await page.mouse.move(middle.x + 90, middle.y + 20, { steps: 4 });
    await page.mouse.up({ button });
  };
  for (const act of [() => drag('left'), () => drag('right'), () => page.mouse.wheel(0, -300), () => page.mouse.dblclick(middle.x, middle.y)]) {
    const last = await shot(page);
    await act();
    await expect.poll(() => shot(page)).not.toBe(last);
    await page.waitForTimeout(600);
  }
});

test.describe('fingers', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 780 } });

  test('one turns, two pinch', async ({ page }) => {
    await open(page);
    await pause(page);
    await page.waitForTimeout(300);
    const start = await shot(page);
    await touch(page, [[[200, 400]], [[240, 400]], [[280, 410]]]);
    await expect.poll(() => shot(page)).not.toBe(start);
    const turned = await coloured(page);
    await touch(page, [
      [[155, 400], [235, 400]],
      [[135, 400], [255, 400]],
      [[115, 400], [275, 400]],
    ]);
    await expect.poll(() => coloured(page), 'closer, it covers more').toBeGreaterThan(turned * 1.4);
  });
});

async function shot(page: Page): Promise<string> {
  const { width } = page.viewportSize()!;
  const image = await page.screenshot({ clip: { x: width / 2 - 130, y: 130, width: 260, height: 460 } });
  return image.toString('base64');
}

async function touch(page: Page, steps: [number, number][][]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const points = (step: [number, number][]) => step.map(([x, y], id) => ({ x, y, id }));
  for (const [index, step] of steps.entries()) {
    await session.send('Input.dispatchTouchEvent', { type: index === 0 ? 'touchStart' : 'touchMove', touchPoints: points(step) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a joint of the list is marked in the view, and a second press lets it go', async ({ page }) => {
  await open(page);
  await pause(page);
  await page.getByText(/^Joints \(/).click();
  const joint = page.locator('#facts').getByRole('button', { name: 'head', exact: true });
  await joint.hover();
  const plain = await canvas(page);
  await joint.click();
  await expect(joint).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => canvas(page)).not.toBe(plain);
  await joint.click();
  await expect(joint).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => canvas(page)).toBe(plain);
});
