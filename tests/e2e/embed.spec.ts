// In: `<rig-view>` in plain pages. Out: its attributes, properties, methods and events do what they say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RigViewElement } from '../../www/embed/api';
import { boxMesh, boxTurn, embed, expect, picture, putBox, test, tga, told, zip } from './embed-support';

const view = '#v';

test('one tag shows a model with the textures that it names', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}" alt="A red box"></rig-view>`);
  await expect.poll(() => told(page, 'load')).toEqual([{ type: 'load', id: 'v', detail: { name: 'box', format: 'MD5' } }]);
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(0.05);
  // The image lies beside the model; its server was asked for it by the name in the material.
  expect(site.count('/box/box.tga')).toBe(1);
  await expect.poll(async () => (await picture(page, view)).mean[0]! > 2 * (await picture(page, view)).mean[1]!).toBe(true);
  await expect(page.getByRole('img', { name: 'A red box' })).toBeVisible();
  const progress = await told(page, 'progress');
  expect(progress.at(-1)!.detail.ratio).toBe(1);
});

test('a sample of each format opens from its main file alone', async ({ page, site }) => {
  await embed(page, site, `
    <style>rig-view { width: 240px }</style>
    <rig-view id="md5" loading="eager" src="/samples/bramble/models/md5/bramble/bramble.md5mesh"></rig-view>
    <rig-view id="player" loading="eager" src="/samples/fathom/models/players/fathom/lower.md3" variant="red"></rig-view>
    <rig-view id="qc" loading="eager" src="/samples/tock/tock.qc"></rig-view>`);
  await expect.poll(async () => (await told(page, 'load')).map(({ detail }) => detail.format).sort()).toEqual(['MD5', 'QC', 'Quake III player']);
  expect(await told(page, 'error')).toEqual([]);
  expect(site.count('/samples/fathom/models/players/fathom/upper_red.skin')).toBe(1);
  expect(site.count('/samples/tock/tock_walk.smd')).toBe(1);
  expect(site.count('/samples/bramble/models/md5/bramble/bramble.tga')).toBe(1);
});

test('an archive is looked into, and its fragment chooses', async ({ page, site }) => {
  const pk3 = zip({ 'models/a/a.md5mesh': boxMesh('models/a/skin'), 'models/b/b.md5mesh': boxMesh('models/b/skin'), 'models/b/turn.md5anim': boxTurn(), 'models/b/skin.tga': tga(0, 0, 255) });
  site.put('/game/pak0.pk3', { body: pk3 });
  await embed(page, site, '<rig-view id="v" src="/game/pak0.pk3#models/b"></rig-view>');
  await expect.poll(() => told(page, 'load')).toMatchObject([{ detail: { name: 'b' } }]);
  await page.locator(view).evaluate((element: RigViewElement) => (element.src = '/game/pak0.pk3#models/a/a.md5mesh'));
  await expect.poll(async () => (await told(page, 'load')).at(-1)!.detail.name).toBe('a');
  await page.locator(view).evaluate((element: RigViewElement) => (element.src = '/game/pak0.pk3#models/c'));
  await expect.poll(async () => (await told(page, 'error')).at(-1)?.detail.message).toContain('models/a/a.md5mesh');
});

test('a folder is read by its listing, as web servers and scripts write it', async ({ page, site }) => {
  putBox(site);
  site.put('/box/', { type: 'text/html', body: '<h1>Index of /box</h1><a href="../">..</a> <a href="box.md5mesh">box.md5mesh</a> <a href=\'turn.md5anim\'>t</a> <a href="/box/box.tga">i</a> <a href="/elsewhere/x.tga">x</a>' });
  site.put('/box/files.json', JSON.stringify(['box.md5mesh', { name: 'turn.md5anim' }]));
  await embed(page, site, '<rig-view id="v" src="/box/"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.clips.map(({ name }) => name))).toEqual(['turn']);
  expect(site.count('/elsewhere/x.tga')).toBe(0);
  await page.locator(view).evaluate((element: RigViewElement) => (element.src = '/box/files.json'));
  await expect.poll(() => told(page, 'load')).toHaveLength(2);
});

test('playing, pausing, seeking and the end of a clip', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}" autoplay></rig-view>`);
  await expect.poll(() => told(page, 'play')).toHaveLength(1);
  const clock = () => page.locator(view).evaluate((element: RigViewElement) => element.currentTime);
  await expect.poll(clock).toBeGreaterThan(0.1);
  await page.locator(view).evaluate((element: RigViewElement) => element.pause());
  expect(await told(page, 'pause')).toHaveLength(1);
  await page.locator(view).evaluate((element: RigViewElement) => element.seek(0.5));
  expect(await clock()).toBeCloseTo(0.5, 3);
  expect(await page.locator(view).evaluate((element: RigViewElement) => [element.paused, element.duration > 0.9])).toEqual([true, true]);
  await page.locator(view).evaluate((element: RigViewElement) => {
    element.loop = false;
    element.speed = 4;
    element.play();
  });
  await expect.poll(() => told(page, 'clip-end')).toMatchObject([{ detail: { clip: 'turn' } }]);
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.paused)).toBe(true);
});

test('clip, speed, loop, legs and torso follow the attributes', async ({ page, site }) => {
  await embed(page, site, '<rig-view id="v" src="/samples/fathom/models/players/fathom/lower.md3" legs="LEGS_RUN" torso="TORSO_GESTURE" controls></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  const duration = () => page.locator(view).evaluate((element: RigViewElement) => element.duration);
  const gesture = await duration();
  await page.locator(view).evaluate((element: RigViewElement) => element.setAttribute('torso', 'TORSO_STAND'));
  expect(await duration()).not.toBe(gesture);
  await page.locator(view).evaluate((element: RigViewElement) => (element.clip = 'BOTH_DEATH1'));
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.shadowRoot!.querySelector('select')!.value)).toBe('BOTH_DEATH1');
  await page.locator(view).evaluate((element: RigViewElement) => (element.clip = 'none'));
  expect(await duration()).toBe(0);
});

test('the variant dresses the model', async ({ page, site }) => {
  await embed(page, site, '<rig-view id="v" src="/samples/fathom/models/players/fathom/lower.md3" variant="red"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.variants)).toEqual(['default', 'red']);
  const redness = async () => {
    const { mean } = await picture(page, view);
    return mean[0]! - mean[2]!;
  };
  await expect.poll(redness).toBeGreaterThan(25);
  const red = await redness();
  await page.locator(view).evaluate((element: RigViewElement) => (element.variant = 'default'));
  await expect.poll(redness).not.toBeCloseTo(red, 0);
});

test('camera-orbit, camera-target and fov move the camera', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}" camera-orbit="90deg 0deg 200%"></rig-view>`);
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(0.01);
  const far = (await picture(page, view)).covered;
  const camera = () => page.locator(view).evaluate((element) => (element as unknown as { camera: { orbit: string; target: string; fov: number } }).camera);
  expect((await camera()).orbit).toMatch(/^90deg 0deg /);
  await page.locator(view).evaluate((element: RigViewElement) => (element.cameraOrbit = '1.5707963rad 0deg'));
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(2 * far);
  expect((await camera()).orbit).toMatch(/^90deg 0deg /);
  await page.locator(view).evaluate((element: RigViewElement) => {
    element.cameraTarget = '1 2 3';
    element.fov = 20;
  });
  expect(await camera()).toMatchObject({ target: '1 2 3', fov: 20 });
});

test('what is drawn follows the flags, and the background may be seen through', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`);
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(0.05);
  const bare = (await picture(page, view)).covered;
  expect(bare).toBeLessThan(0.7);
  for (const flag of ['grid', 'joints', 'wireframe'] as const) {
    await page.locator(view).evaluate((element: RigViewElement, name) => (element[name] = true), flag);
    expect(await page.locator(view).getAttribute(flag)).toBe('');
  }
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(bare + 0.02);
  await page.locator(view).evaluate((element: RigViewElement) => (element.background = '#204060'));
  await expect.poll(async () => (await picture(page, view)).covered).toBe(1);
});

test('a poster stands in until the model is there; toBlob gives its picture', async ({ page, site }) => {
  const src = putBox(site);
  site.put('/poster.svg', { body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="blue"/></svg>' });
  site.put('/box/box.md5mesh', { body: boxMesh('models/box/box'), late: 1500 });
  await embed(page, site, `<rig-view id="v" src="${src}" poster="/poster.svg"></rig-view>`);
  await expect(page.locator(view).locator('[part=poster]')).toBeVisible();
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await expect(page.locator(view).locator('[part=poster]')).toBeHidden();
  await expect.poll(async () => (await picture(page, view)).covered).toBeGreaterThan(0.05);
  const blob = await page.locator(view).evaluate(async (element: RigViewElement) => {
    const { type, size } = await element.toBlob();
    return { type, size };
  });
  expect(blob.type).toBe('image/png');
  expect(blob.size).toBeGreaterThan(500);
});

test('reveal="interaction" fetches nothing before the click', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}" reveal="interaction"></rig-view>`);
  await page.waitForTimeout(800);
  expect(site.asked.filter((path) => path.startsWith('/box') || path.endsWith('.wasm'))).toEqual([]);
  await page.getByRole('button', { name: 'Show the model' }).click();
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
});

test('loading="lazy" waits until the element is near, "eager" does not', async ({ page, site }) => {
  const src = putBox(site);
  site.put('/far.md5mesh', boxMesh());
  await embed(page, site, `<rig-view id="near" loading="eager" src="/far.md5mesh"></rig-view><div style="height: 8000px"></div><rig-view id="v" src="${src}"></rig-view>`);
  await expect.poll(() => told(page, 'load', 'near')).toHaveLength(1);
  expect(site.count('/box/box.md5mesh')).toBe(0);
  await page.locator(view).scrollIntoViewIfNeeded();
  await expect.poll(() => told(page, 'load', 'v')).toHaveLength(1);
});

test('controls: the bar plays, scrubs and chooses', async ({ page, site }) => {
  site.put('/box/walk.md5anim', boxTurn(12));
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src} /box/walk.md5anim" clip="turn" controls></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => told(page, 'play')).toHaveLength(1);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('slider', { name: 'Time in the clip' }).fill('0.25');
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.currentTime)).toBeCloseTo(0.25, 2);
  await page.getByRole('combobox', { name: 'Clip' }).selectOption('walk');
  expect(await page.locator(view).getAttribute('clip')).toBe('walk');
});

test('keys turn, zoom, play and step', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  const orbit = () => page.locator(view).evaluate((element) => (element as unknown as { camera: { orbit: string } }).camera.orbit);
  const before = await orbit();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  expect(await orbit()).not.toBe(before);
  const turned = await orbit();
  await page.keyboard.press('+');
  expect(await orbit()).not.toBe(turned);
  await page.keyboard.press(' ');
  expect(await told(page, 'play')).toHaveLength(1);
  await page.keyboard.press(' ');
  await page.locator(view).evaluate((element: RigViewElement) => element.seek(0));
  await page.keyboard.press('.');
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.currentTime)).toBeCloseTo(1 / 24, 3);
});

test('a skin that is asked for later is fetched; one that is not there is told in the console, once', async ({ page, site }) => {
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && message.text().includes('<rig-view>') && warnings.push(message.text()));
  await embed(page, site, '<rig-view id="v" src="/samples/fathom/models/players/fathom/lower.md3"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  const variants = () => page.locator(view).evaluate((element: RigViewElement) => element.variants);
  const wear = (name: string) => page.locator(view).evaluate((element: RigViewElement, to) => (element.variant = to), name);
  expect(await variants()).toEqual(['default']);
  await wear('red');
  await expect.poll(variants).toEqual(['default', 'red']);
  await expect.poll(async () => {
    const { mean } = await picture(page, view);
    return mean[0]! - mean[2]!;
  }).toBeGreaterThan(25);
  await wear('nobody');
  await expect.poll(() => told(page, 'load')).toHaveLength(3);
  expect(await variants()).toEqual(['default', 'red']);
  await wear('red');
  await wear('nobody');
  await page.locator(view).evaluate((element: RigViewElement) => (element.legs = 'LEGS_FLY'));
  expect(await told(page, 'load')).toHaveLength(3);
  expect(site.count('/samples/fathom/models/players/fathom/lower_nobody.skin')).toBe(1);
  await expect.poll(() => warnings).toHaveLength(2);
  expect(warnings[0]).toMatch(/no variant "nobody".*default, red/);
  expect(warnings[1]).toMatch(/no legs "LEGS_FLY".*LEGS_RUN/);
  expect(await told(page, 'error')).toEqual([]);
});

test('findings and check() tell of a file that cannot be shown', async ({ page, site }) => {
  site.put('/broken.md5mesh', boxMesh().replace('numverts 8', 'numverts 9'));
  await embed(page, site, '<rig-view id="v" src="/broken.md5mesh"></rig-view>');
  await expect.poll(() => told(page, 'error')).toHaveLength(1);
  const ask = () => page.locator(view).evaluate(async (element: RigViewElement) => ({ findings: element.findings, verdicts: await element.check() }));
  const { findings, verdicts } = await ask();
  expect(findings.length).toBeGreaterThan(0);
  expect(findings).toEqual((await told(page, 'error'))[0]!.detail.findings);
  expect(verdicts.map(({ engine, verdict }) => `${engine} ${verdict}`)).toEqual(['doom3 refused']);
  await page.locator(view).evaluate((element: RigViewElement, mesh) => element.open([new File([mesh], 'box.md5mesh')]).catch(() => {}), boxMesh().replace('numtris 12', 'numtris 13'));
  expect((await ask()).verdicts.map(({ engine, verdict }) => `${engine} ${verdict}`)).toEqual(['doom3 refused']);
  await page.locator(view).evaluate((element: RigViewElement) => (element.src = '/gone.md5mesh'));
  await expect.poll(() => told(page, 'error')).toHaveLength(3);
  await expect(ask()).rejects.toThrow(/No model/);
});

test('names that every skin replaces are neither missing nor asked for', async ({ page, site }) => {
  const lower = readFileSync(join(__dirname, '../../www/public/samples/fathom/models/players/fathom/lower.md3'), 'latin1');
  site.put('/samples/fathom/models/players/fathom/lower.md3', { body: Buffer.from(lower.replaceAll('players/fathom/fathom', 'players/fathom/unworn'), 'latin1') });
  await embed(page, site, '<rig-view id="v" src="/samples/fathom/models/players/fathom/lower.md3"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  // The glass is a shader, whose script no guess finds.
  expect(await page.locator(view).evaluate((element: RigViewElement) => element.missingFiles.map(({ name }) => name))).toEqual(['models/players/fathom/glass']);
  expect(site.asked.filter((path) => path.includes('unworn'))).toEqual([]);
  expect(site.count('/samples/fathom/models/players/fathom/fathom.jpg')).toBe(1);
});

test('what is missing is told, and listed if asked for', async ({ page, site }) => {
  site.put('/bare.md5mesh', boxMesh('models/bare/skin'));
  await embed(page, site, '<rig-view id="v" src="/bare.md5mesh" missing="list"></rig-view>');
  await expect.poll(() => told(page, 'missing')).toHaveLength(1);
  const [missing] = (await told(page, 'missing'))[0]!.detail as { name: string; tried: string[] }[];
  expect(missing!.tried.length).toBeGreaterThan(0);
  await expect(page.locator(view).locator('[part=missing]')).toContainText('models/bare/skin');
  const findings = await page.locator(view).evaluate((element: RigViewElement) => element.findings);
  expect(findings.some(({ severity }) => severity === 'warning')).toBe(true);
});

test('check() asks the engines, with the rules that only those load who ask', async ({ page, site }) => {
  site.put('/box.md5mesh', boxMesh());
  const core: string[] = [];
  page.on('request', (request) => request.url().includes('/core/') && core.push(request.url()));
  await embed(page, site, '<rig-view id="v" src="/box.md5mesh"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(core).toEqual([]);
  const verdicts = await page.locator(view).evaluate((element: RigViewElement) => element.check());
  expect(verdicts.map(({ engine }) => engine)).toEqual(['doom3']);
  expect(verdicts[0]!.verdict).not.toBe('refused');
  expect(core.map((url) => url.split('/').at(-1))).toEqual(['rigview.js', 'rigview_bg.wasm']);

  const local = await page.locator(view).evaluate(async (element: RigViewElement, mesh) => {
    await element.open([new File([mesh], 'box.md5mesh')]);
    return element.check('doom3');
  }, boxMesh().replace(/^commandline.*$/m, ''));
  expect(local.map(({ engine, verdict }) => `${engine} ${verdict}`)).toEqual(['doom3 refused']);
});

test('open() shows files from the disk', async ({ page, site }) => {
  await embed(page, site, '<rig-view id="v"></rig-view>');
  await page.waitForFunction(() => customElements.get('rig-view') !== undefined);
  await page.locator(view).evaluate((element: RigViewElement, [mesh, turn]) => element.open([new File([mesh!], 'box.md5mesh'), new File([turn!], 'turn.md5anim')]), [boxMesh(), boxTurn()]);
  expect(await told(page, 'load')).toHaveLength(1);
  await expect(page.locator(view).evaluate((element: RigViewElement) => element.open([new File(['x'], 'notes.txt')]))).rejects.toThrow(/notes\.txt/);
  expect((await told(page, 'error')).at(-1)!.detail.type).toBe('parse');
});

test('open() of what is no list of files rejects, and the model stays', async ({ page, site }) => {
  await embed(page, site, `<rig-view id="v" src="${putBox(site)}"></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  const seen = await page.locator(view).evaluate(async (element: RigViewElement) => {
    const outcomes = [];
    for (const bad of [undefined, [{ name: 'box.md5mesh' }]]) {
      let promise: unknown;
      try {
        promise = element.open(bad as unknown as File[]);
        await promise;
        outcomes.push('opened');
      } catch (error) {
        outcomes.push(promise instanceof Promise && error instanceof TypeError ? 'rejected' : 'thrown');
      }
    }
    return [...outcomes, element.loaded, element.name];
  });
  expect(seen).toEqual(['rejected', 'rejected', true, 'box']);
});

test('reduced motion: nothing plays or turns by itself', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}" autoplay auto-rotate></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await page.waitForTimeout(500);
  expect(await told(page, 'play')).toEqual([]);
  await page.locator(view).evaluate((element: RigViewElement) => element.play());
  expect(await told(page, 'play')).toHaveLength(1);
});

test('slots and parts are the page’s to style', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<style>rig-view::part(controls) { background: rgb(1, 2, 3) }</style>
    <rig-view id="v" src="${src}" controls></rig-view>
    <rig-view id="own" src="/nothing.md5mesh"><b slot="error">Out of order</b></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await expect(page.locator(view).locator('[part=controls]')).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  await expect(page.getByText('Out of order')).toBeVisible();
});
