// In: pages with many elements. Out: they share one instance and one context, cost nothing while they are not seen, and leave
// nothing behind.
import type { RigViewElement } from '../../www/embed/api';
import { boxMesh, boxTurn, counts, during, embed, expect, picture, putBox, test, told } from './embed-support';
import { setHidden } from './support';

const grid = '<style>rig-view { width: 150px; height: 110px; display: block; float: left } .row { clear: both; height: 120px } .gap { clear: both; height: 4000px }</style>';

test('fifty elements: ten in sight play, forty cost no GL call, and all is fetched once', async ({ page, site }) => {
  const src = putBox(site);
  const some = (count: number, from: number) => Array.from({ length: count }, (_, index) => `<rig-view id="v${from + index}" loading="eager" autoplay src="${src}"></rig-view>`).join('');
  await page.setViewportSize({ width: 800, height: 400 });
  await embed(page, site, `${grid}<div>${some(10, 0)}</div><div class="gap"></div>${some(40, 10)}`);
  await expect.poll(async () => (await told(page, 'load')).length, { timeout: 60_000 }).toBe(50);
  for (const path of ['/box/box.md5mesh', '/box/turn.md5anim', '/box/box.tga', '/package/rigview_bg.wasm', '/package/rigview.js']) expect(site.count(path), path).toBe(1);
  expect((await counts(page)).contexts).toBe(1);
  for (const index of [0, 9]) await expect.poll(async () => (await picture(page, `#v${index}`)).covered).toBeGreaterThan(0.03);
  // Those out of sight were never drawn: what they would show first is drawn when they come into sight.
  expect(await picture(page, '#v40')).toMatchObject({ covered: 0 });

  const ten = await during(page, 1000);
  expect(ten.gl).toBeGreaterThan(0);
  await page.evaluate(() => document.querySelectorAll<RigViewElement>('rig-view').forEach((view, index) => index < 10 && view.pause()));
  await page.waitForTimeout(300);
  // Forty still play, none of them in sight.
  expect(await during(page, 5000)).toEqual({ frames: 0, gl: 0, contexts: 0, made: 0, freed: 0 });

  await page.locator('#v40').scrollIntoViewIfNeeded();
  await expect.poll(async () => (await picture(page, '#v40')).covered).toBeGreaterThan(0.03);
  expect((await counts(page)).contexts).toBe(1);
});

test('for five seconds a paused element, one out of sight and a hidden page ask for nothing', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `${grid}<rig-view id="v" autoplay src="${src}"></rig-view><div class="gap"></div>`);
  await expect.poll(() => told(page, 'play')).toHaveLength(1);
  const idle = async (why: string) => {
    await page.waitForTimeout(300);
    expect(await during(page, 5000), why).toMatchObject({ frames: 0, gl: 0 });
  };
  const moves = async () => expect(Math.min(...Object.values(await during(page, 700)).slice(0, 2))).toBeGreaterThan(0);
  await moves();
  await setHidden(page, true);
  await idle('playing, hidden');
  await setHidden(page, false);
  await moves();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await idle('playing, out of sight');
  await page.evaluate(() => scrollTo(0, 0));
  await moves();
  await page.locator('#v').evaluate((element: RigViewElement) => element.pause());
  await idle('paused');
});

test('two hundred elements scroll by without an error', async ({ page, site }) => {
  const src = putBox(site);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const views = Array.from({ length: 200 }, (_, index) => `<rig-view id="v${index}" src="${src}"></rig-view>`).join('');
  await page.setViewportSize({ width: 640, height: 480 });
  await embed(page, site, `${grid}${views}`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y <= height; y += 400) {
    await page.evaluate((to) => scrollTo(0, to), y);
    await page.waitForTimeout(60);
  }
  await expect.poll(async () => (await picture(page, '#v199')).covered).toBeGreaterThan(0.03);
  expect(errors).toEqual([]);
  expect(await told(page, 'error')).toEqual([]);
  expect((await counts(page)).contexts).toBe(1);
  expect(site.count('/box/box.md5mesh')).toBe(1);
  // What was seen long ago has given its GPU memory back, and is drawn again when it is seen again.
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('#v0').evaluate((element: RigViewElement) => element.setAttribute('background', 'rgb(0, 90, 0)'));
  await expect.poll(async () => (await picture(page, '#v0')).covered).toBe(1);
  await expect.poll(async () => (await picture(page, '#v0')).mean[0]).toBeGreaterThan(10);
});

test('the context is lost: the last picture stays, and every view comes back by itself', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `${grid}<rig-view id="a" src="${src}"></rig-view><rig-view id="b" src="/samples/tock/tock.qc"></rig-view>`);
  await expect.poll(async () => (await picture(page, '#a')).covered).toBeGreaterThan(0.03);
  await expect.poll(async () => (await picture(page, '#b')).covered).toBeGreaterThan(0.03);
  await expect.poll(async () => (await picture(page, '#a')).mean[0]).toBeGreaterThan(60);
  const before = await picture(page, '#a');
  await page.evaluate(() => {
    const extension = (window as unknown as { gl: WebGL2RenderingContext }).gl.getExtension('WEBGL_lose_context')!;
    Object.assign(window, { extension });
    extension.loseContext();
  });
  await page.waitForTimeout(300);
  expect(await picture(page, '#a')).toEqual(before);
  // Turned while there is no context: seen once it is back.
  await page.locator('#a').evaluate((element: RigViewElement) => (element.cameraOrbit = '10deg 60deg 70%'));
  await page.evaluate(() => (window as unknown as { extension: WEBGL_lose_context }).extension.restoreContext());
  await expect.poll(async () => (await picture(page, '#a')).covered).toBeGreaterThan(before.covered * 1.2);
  // Its texture is back too.
  await expect.poll(async () => {
    const { mean } = await picture(page, '#a');
    return mean[0]! / Math.max(mean[1]!, 1);
  }).toBeGreaterThan(2);
  await page.locator('#b').evaluate((element: RigViewElement) => (element.clip = 'none'));
  await expect.poll(async () => (await picture(page, '#b')).covered).toBeGreaterThan(0.03);
  expect(await told(page, 'error')).toEqual([]);
});

test('a crash shows a card in its element and leaves the others alone', async ({ page, site }) => {
  const src = putBox(site);
  // The fault is put in from outside: the wasm traps when it draws the third view.
  await page.addInitScript(() => {
    const instantiate = WebAssembly.instantiate as (...all: unknown[]) => Promise<WebAssembly.Instance>;
    WebAssembly.instantiate = (async (...all: unknown[]) => {
      const instance = await instantiate(...all);
      const exports = { ...instance.exports } as Record<string, (...all: unknown[]) => unknown>;
      const draw = exports.viewer_draw!;
      const seen: unknown[] = [];
      exports.viewer_draw = (pointer, ...rest) => {
        if (!seen.includes(pointer)) seen.push(pointer);
        if (seen.indexOf(pointer) === 1 && (window as unknown as { trap?: boolean }).trap) throw new WebAssembly.RuntimeError('unreachable');
        return draw(pointer, ...rest);
      };
      return Object.create(WebAssembly.Instance.prototype, { exports: { value: exports } }) as WebAssembly.Instance;
    }) as typeof WebAssembly.instantiate;
  });
  await embed(page, site, `${grid}${[0, 1, 2].map((index) => `<rig-view id="v${index}" autoplay src="${src}"></rig-view>`).join('')}`);
  await expect.poll(async () => (await told(page, 'load')).length).toBe(3);
  await expect.poll(async () => (await picture(page, '#v2')).covered).toBeGreaterThan(0.03);
  await page.evaluate(() => Object.assign(window, { trap: true }));
  await expect.poll(() => told(page, 'error')).toMatchObject([{ detail: { type: 'crash' } }]);
  const { id } = (await told(page, 'error'))[0]!;
  await expect(page.locator(`#${id}`).getByRole('alert')).toContainText('crashed');
  for (const other of ['v0', 'v1', 'v2'].filter((one) => one !== id)) {
    const time = () => page.locator(`#${other}`).evaluate((element: RigViewElement) => element.currentTime);
    const before = await time();
    await expect.poll(time).not.toBe(before);
  }
  // It can be tried again.
  await page.evaluate(() => Object.assign(window, { trap: false }));
  await page.locator(`#${id}`).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(async () => (await told(page, 'load', id)).length).toBe(2);
});

test('five hundred elements come and go and leave nothing behind', async ({ page, site }) => {
  test.setTimeout(300_000);
  const src = putBox(site);
  site.put('/other.md5mesh', boxMesh('models/other', 'root'));
  site.put('/other.md5anim', boxTurn(6, 'root'));
  await page.addInitScript(() => {
    const instantiate = WebAssembly.instantiate as (...all: unknown[]) => Promise<WebAssembly.Instance>;
    WebAssembly.instantiate = (async (...all: unknown[]) => {
      const instance = await instantiate(...all);
      Object.assign(window, { memory: instance.exports.memory });
      return instance;
    }) as typeof WebAssembly.instantiate;
  });
  await embed(page, site, `${grid}<rig-view id="stays" src="${src}"></rig-view><div id="here"></div>`);
  await expect.poll(async () => (await picture(page, '#stays')).covered).toBeGreaterThan(0.03);
  const rounds = (count: number) =>
    page.evaluate(async ([times, source]) => {
      for (let round = 0; round < times; round++) {
        const element = document.createElement('rig-view') as RigViewElement;
        // Every other round shares what the element that stays shows; the others fetch a model of their own.
        element.src = round % 2 ? source : '/other.md5mesh /other.md5anim';
        element.loading = 'eager';
        const drawn = new Promise<void>((resolve, reject) => {
          element.addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
          element.addEventListener('error', (event) => reject(new Error(event.detail.message)));
        });
        document.querySelector('#here')!.append(element);
        await drawn;
        element.remove();
        await new Promise((resolve) => setTimeout(resolve));
      }
    }, [count, src] as const);
  const state = async () => {
    const { made, freed } = await counts(page);
    return { objects: made - freed, memory: await page.evaluate(() => (window as unknown as { memory: WebAssembly.Memory }).memory.buffer.byteLength) };
  };
  await rounds(20);
  const before = await state();
  await rounds(500);
  expect(await state()).toEqual(before);
});
