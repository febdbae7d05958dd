// In: www/dist/package, twenty elements on one page. Out: they load and play in Firefox's and in Safari's engine, on one context.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test from 'node:test';
import { find, webkit } from '../scripts/browsers.mjs';
import { www } from '../scripts/run.mjs';
import { openBrowser } from './webdriver.mjs';

const display = find(['xvfb-run']) ? ['xvfb-run', '-a'] : [];
const engines = [
  {
    name: 'Firefox',
    driver: find(['geckodriver']),
    capabilities: { 'moz:firefoxOptions': { prefs: { 'webgl.force-enabled': true, 'gfx.webrender.software': true } } },
  },
  {
    name: 'WebKit',
    driver: webkit() && find(['WebKitWebDriver']),
    capabilities: { 'webkitgtk:browserOptions': { binary: webkit(), args: ['--automation'] } },
  },
];

const tock = '/samples/tock/tock.qc';
const fathom = '/samples/fathom/models/players/fathom/lower.md3';
const page = `<!doctype html><meta charset="utf-8"><title>Twenty</title><script type="module" src="/package/rigview.js"></script>
<style>rig-view { width: 120px; height: 90px; float: left }</style>
${Array.from({ length: 20 }, (_, index) => `<rig-view loading="eager" autoplay src="${index % 2 ? tock : fathom}"></rig-view>`).join('\n')}`;

/** Runs in the page. */
const state = `
  const views = [...document.querySelectorAll('rig-view')];
  return views.map((view) => {
    const canvas = view.shadowRoot && view.shadowRoot.querySelector('canvas');
    let covered = 0;
    if (canvas && canvas.width > 1) {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 3; at < data.length; at += 4) if (data[at] > 8) covered++;
      covered /= data.length / 4;
    }
    return { state: view.dataset.state, covered, time: view.currentTime, error: view.shadowRoot && view.shadowRoot.querySelector('.error').textContent };
  });`;

for (const { name, driver, capabilities } of engines) {
  test(`twenty elements load and play in ${name}`, { skip: !driver && `no driver for ${name}`, timeout: 300_000 }, async () => {
    const server = await serve();
    const browser = await openBrowser([...display, driver], capabilities);
    try {
      await browser.open(`http://127.0.0.1:${server.address().port}/twenty.html`);
      const shown = await until(() => browser.run(state), (all) => all.length === 20 && all.every(({ covered }) => covered > 0.02));
      assert.deepEqual(shown.filter((view) => view.state !== 'shown' || view.covered <= 0.02), []);
      const before = await browser.run(state);
      const after = await until(() => browser.run(state), (all) => all.every(({ time }, index) => time !== before[index].time));
      assert.ok(after.every(({ time }, index) => time !== before[index].time), 'all of them move');
      assert.equal(server.asked.filter((path) => path === tock).length, 1, 'fetched once');
    } finally {
      await browser.close();
      server.close();
    }
  });
}

async function until(look, found) {
  for (let tries = 0; ; tries++) {
    const value = await look();
    if (found(value) || tries === 200) return value;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function serve() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.jpg': 'image/jpeg' };
  const asked = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    asked.push(pathname);
    if (pathname === '/twenty.html') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const path = join(www, pathname.startsWith('/samples/') ? 'public' : 'dist', decodeURIComponent(pathname));
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(Object.assign(server, { asked }))));
}
