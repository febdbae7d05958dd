// In: www/dist under a sub-path of a plain file server. Out: the page starts in Firefox's and in Safari's engine.
import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
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

for (const { name, driver, capabilities } of engines) {
  test(`the page starts in ${name} from a sub-path`, { skip: !driver && `no driver for ${name}`, timeout: 120_000 }, async () => {
    const server = await serveFiles(join(www, 'dist'), '/some/where/');
    const browser = await openBrowser([...display, driver], capabilities);
    try {
      await browser.open(`http://127.0.0.1:${server.address().port}/some/where/`);
      // The page says so when its wasm runs and what it opens with is shown.
      const ready = await until(() => browser.run('return document.documentElement.dataset.ready'), Boolean);
      assert.equal(ready, 'yes', await browser.run('return document.body.innerText'));
    } finally {
      await browser.close();
      server.close();
    }
  });
}

async function until(look, found) {
  for (let tries = 0; ; tries++) {
    const value = await look();
    if (found(value) || tries === 100) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** As plain as file servers come: a folder, five types, no index but index.html. */
function serveFiles(folder, under) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.png': 'image/png' };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(folder, decodeURIComponent(pathname.slice(under.length)) || 'index.html');
    if (!pathname.startsWith(under) || !existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
