// In: pages with strict policies, servers with odd answers, files with evil names, windows that scroll. Out: the element works or
// says what is wrong, and does no harm.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RigViewElement } from '../../www/embed/api';
import { boxMesh, boxTurn, embed, expect, picture, putBox, test, told } from './embed-support';

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; require-trusted-types-for 'script'; trusted-types 'none'";

for (const [kind, script] of [['module', '<script type="module" src="/package/rigview.js"></script>'], ['classic script', '<script src="/package/rigview.classic.js"></script>']] as const) {
  test(`a strict policy with trusted types lets the ${kind} run`, async ({ page, site }) => {
    const violations: string[] = [];
    page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
    page.on('pageerror', ({ message }) => violations.push(message));
    const src = putBox(site);
    await embed(page, site, `<rig-view id="v" src="${src}" controls autoplay grid background="#112" alt="A box" missing="list"></rig-view>`, { script, headers: { 'content-security-policy': STRICT } });
    await expect.poll(() => told(page, 'load')).toHaveLength(1);
    await expect.poll(async () => (await picture(page, '#v')).covered).toBe(1);
    await page.locator('#v').evaluate((element: RigViewElement) => (element.src = '/nothing.md5mesh'));
    await expect.poll(() => told(page, 'error')).toHaveLength(1);
    expect(violations.filter((text) => /Content Security|Trusted|Refused|violat/i.test(text))).toEqual([]);
    expect(await page.locator('#v').evaluate((element) => element.shadowRoot!.querySelectorAll('[style], style, script').length)).toBe(0);
  });
}

test('a policy without wasm says which word is missing', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`, { headers: { 'content-security-policy': "default-src 'self'" } });
  await expect.poll(() => told(page, 'error')).toMatchObject([{ detail: { type: 'crash' } }]);
  await expect(page.getByRole('alert')).toContainText('wasm-unsafe-eval');
});

test('a wasm of the wrong type runs all the same', async ({ page, site }) => {
  site.types['.wasm'] = 'text/plain';
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(site.count('/package/rigview_bg.wasm')).toBe(1);
});

test('another site that shares its files is read, one that does not is named as such', async ({ page, site, other }) => {
  putBox(other);
  await embed(page, site, `<rig-view id="v" src="${other.origin}/box/box.md5mesh"></rig-view>`);
  await expect.poll(() => told(page, 'error')).toMatchObject([{ detail: { type: 'cors', url: `${other.origin}/box/box.md5mesh` } }]);
  await expect(page.getByRole('alert')).toContainText('Access-Control-Allow-Origin');
  other.headers['access-control-allow-origin'] = '*';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
});

test('the script, the wasm and the model may all come from other sites', async ({ page, site, other }) => {
  other.headers['access-control-allow-origin'] = '*';
  putBox(other);
  await embed(page, site, `<rig-view id="v" src="${other.origin}/box/box.md5mesh"></rig-view>`, { script: `<script src="${other.origin}/package/rigview.classic.js"></script>` });
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(site.asked).toEqual(['/page.html', ...site.asked.slice(1).filter((path) => path === '/favicon.ico')]);
});

test('what is not there, what cannot be reached and what is no model are three errors', async ({ page, site, other }) => {
  const gone = other.origin;
  await other.stop();
  site.put('/page-instead.md5mesh', { body: '<!doctype html><title>Sign in</title>', type: 'text/html' });
  site.put('/broken.md5mesh', boxMesh().replace('numverts 8', 'numverts 9'));
  await embed(page, site, `<rig-view id="gone" loading="eager" src="/gone.md5mesh"></rig-view><rig-view id="down" loading="eager" src="${gone}/box.md5mesh"></rig-view>
    <rig-view id="html" loading="eager" src="/page-instead.md5mesh"></rig-view><rig-view id="broken" loading="eager" src="/broken.md5mesh"></rig-view>`);
  await expect.poll(async () => (await told(page, 'error')).length).toBe(4);
  const errors = Object.fromEntries((await told(page, 'error')).map(({ id, detail }) => [id, detail]));
  expect(errors.gone).toMatchObject({ type: 'fetch', status: 404 });
  expect(errors.down).toMatchObject({ type: 'fetch' });
  expect(errors.html).toMatchObject({ type: 'parse' });
  expect(errors.broken).toMatchObject({ type: 'parse' });
  expect(errors.broken.findings[0].line).toBeGreaterThan(7);
});

test('a browser without WebGL 2 is told so', async ({ page, site }) => {
  const src = putBox(site);
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext as (...all: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...all: unknown[]) {
      return all[0] === 'webgl2' ? null : get.apply(this, all);
    } as typeof HTMLCanvasElement.prototype.getContext;
  });
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`);
  await expect.poll(() => told(page, 'error')).toMatchObject([{ detail: { type: 'webgl' } }]);
});

test('a poster that is no address is none, and a camera beyond all numbers leaves the model where it is', async ({ page, site }) => {
  const src = putBox(site);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await embed(page, site, `<rig-view id="v" src="${src}" poster="http://[" fov="1e999" camera-target="1e39 0 0" camera-orbit="1e39rad 1e60deg 1e39"></rig-view>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await expect.poll(async () => (await picture(page, '#v')).covered).toBeGreaterThan(0.03);
  const camera = await page.locator('#v').evaluate((element: RigViewElement) => {
    const before = element.camera;
    element.fov = 1e39;
    element.cameraOrbit = '0 0 1e38%';
    element.cameraTarget = '0 -1e39 0';
    element.poster = '//';
    return [before, element.camera, element.loaded];
  });
  expect(camera[2]).toBe(true);
  expect(camera[1]).toMatchObject({ target: (camera[0] as { target: string }).target });
  expect(await told(page, 'error')).toEqual([]);
  expect(errors).toEqual([]);
});

test('names from files are shown as text', async ({ page, site }) => {
  const evil = '<img src=x onerror=document.title=1>';
  site.put('/evil.md5mesh', boxMesh(evil, evil));
  site.put('/<b>walk.md5anim', boxTurn(8, evil));
  site.put('/<i>run.md5anim', boxTurn(8, evil));
  await embed(page, site, '<rig-view id="v" controls missing="list" src="/evil.md5mesh /%3Cb%3Ewalk.md5anim /%3Ci%3Erun.md5anim"></rig-view>');
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  await expect(page.locator('[part=missing]')).toContainText('<img src=x');
  await expect(page.getByRole('combobox', { name: 'Clip' })).toContainText('<b>walk');
  expect(await page.locator('#v').evaluate((element) => element.shadowRoot!.querySelectorAll('img:not([part=poster]), b, i').length)).toBe(0);
  expect(await page.title()).toBe('A page');
});

test('two copies of the script define one element', async ({ page, site }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const src = putBox(site);
  const script = '<script src="/package/rigview.classic.js"></script><script src="/package/rigview.classic.js?again"></script><script type="module" src="/package/rigview.js"></script>';
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view>`, { script });
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  expect(errors).toEqual([]);
  expect(site.count('/package/rigview_bg.wasm')).toBe(1);
});

test('the wheel scrolls the page over the element, and zooms only where it is focused or with Ctrl', async ({ page, site }) => {
  const src = putBox(site);
  await embed(page, site, `<rig-view id="v" src="${src}"></rig-view><div style="height: 4000px"></div>`);
  await expect.poll(() => told(page, 'load')).toHaveLength(1);
  const distance = () => page.locator('#v').evaluate((element) => Number((element as unknown as { camera: { orbit: string } }).camera.orbit.split(' ')[2]));
  const before = await distance();
  await page.mouse.move(200, 150);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  expect(await distance()).toBe(before);
  await expect(page.locator('[part=hint]')).toHaveText(/Ctrl/);
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Control');
  await expect.poll(distance).toBeGreaterThan(before);
  const further = await distance();
  await page.mouse.click(200, 150);
  await page.mouse.wheel(0, 200);
  await expect.poll(distance).toBeGreaterThan(further);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a finger that moves up or down scrolls the page, one that moves sideways turns the model', async ({ browser, site }) => {
  const page = await browser.newPage({ hasTouch: true, viewport: { width: 400, height: 700 } });
  const src = putBox(site);
  site.put('/touch.html', `<!doctype html><meta name="viewport" content="width=device-width"><script type="module" src="/package/rigview.js"></script><rig-view id="v" src="${src}"></rig-view><div style="height: 4000px"></div>`);
  await page.goto(`${site.origin}/touch.html`);
  await expect.poll(() => page.locator('#v').evaluate((element: RigViewElement) => element.loaded)).toBe(true);
  const orbit = () => page.locator('#v').evaluate((element) => (element as unknown as { camera: { orbit: string } }).camera.orbit);
  const client = await page.context().newCDPSession(page);
  const drag = async (dx: number, dy: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) => client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    await touch('touchStart', 200, 200);
    for (let step = 1; step <= 10; step++) await touch('touchMove', 200 + (dx * step) / 10, 200 + (dy * step) / 10);
    await touch('touchEnd', 0, 0);
  };
  const before = await orbit();
  await drag(120, 0);
  await expect.poll(orbit).not.toBe(before);
  const turned = await orbit();
  await drag(0, -150);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
  expect((await orbit()).split(' ')[0]).toBe(turned.split(' ')[0]);
  await page.close();
});

test('the page for iframes takes attributes as parameters and answers to messages', async ({ page, site }) => {
  putBox(site);
  const query = new URLSearchParams({ src: '/box/box.md5mesh /box/turn.md5anim', controls: '', alt: 'A box', 'camera-orbit': '45deg' });
  site.put('/host.html', `<!doctype html><title>Host</title><iframe id="f" width="400" height="300" src="/embed.html?${query}"></iframe>
    <script>window.got = []; addEventListener('message', ({ data }) => got.push(data));</script>`);
  await page.goto(`${site.origin}/host.html`);
  const got = (type: string) => page.evaluate((kind) => (window as unknown as { got: { rigview: string }[] }).got.filter(({ rigview }) => rigview === kind).length, type);
  await expect.poll(() => got('load')).toBe(1);
  const send = (message: unknown) => page.evaluate((data) => document.querySelector('iframe')!.contentWindow!.postMessage(data, '*'), message);
  await send({ rigview: 'play' });
  await expect.poll(() => got('play')).toBe(1);
  await send({ rigview: 'pause' });
  await expect.poll(() => got('pause')).toBe(1);
  await send({ rigview: 'seek', value: 0.5 });
  const inner = page.frameLocator('#f').locator('rig-view');
  await expect.poll(() => inner.evaluate((element: RigViewElement) => element.currentTime)).toBeCloseTo(0.5, 2);
  await send({ rigview: 'set', name: 'clip', value: 'none' });
  await expect.poll(() => inner.getAttribute('clip')).toBe('none');
  await send({ rigview: 'set', name: 'onclick', value: 'alert(1)' });
  await page.waitForTimeout(100);
  expect(await inner.getAttribute('onclick')).toBeNull();
});

test('the MediaWiki gadget turns links to models into elements', async ({ page, site }) => {
  putBox(site);
  site.put('/gadget.js', readFileSync(join(__dirname, '../../www/integrations/mediawiki/gadget.js'), 'utf8'));
  site.put('/wiki.html', `<!doctype html><title>A wiki</title>
    <div class="mw-parser-output"><p>See <a href="/box/box.md5mesh" class="internal" title="Box.md5mesh">A box; width=240; camera-orbit=45deg</a> and
    <a href="/wiki/Page" class="internal">a page</a>.</p></div>
    <script>window.rigviewPackage = '/package/'</script><script src="/gadget.js"></script>`);
  await page.goto(`${site.origin}/wiki.html`);
  const view = page.locator('rig-view');
  await expect(view).toHaveCount(1);
  await expect.poll(() => view.evaluate((element: RigViewElement) => element.loaded)).toBe(true);
  expect(await view.evaluate((element: RigViewElement) => [element.alt, element.cameraOrbit, element.clientWidth])).toEqual(['A box', '45deg', 240]);
  await expect(page.getByRole('link', { name: 'A box' })).toBeVisible();
});
