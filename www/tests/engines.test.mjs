// In: www/dist under a sub-path of a plain file server. Out: the page starts in Firefox's and in Safari's engine.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { www } from '../scripts/run.mjs';
import { engines, until, visit } from './webdriver.mjs';

const under = '/some/where/';
const file = (path) => path.startsWith(under) && join(www, 'dist', path.slice(under.length) || 'index.html');

for (const engine of engines) {
  const { name, driver } = engine;
  test(`the page starts in ${name} from a sub-path`, { skip: !driver && `no driver for ${name}`, timeout: 120_000 }, () =>
    visit(engine, file, async (browser, server) => {
      await browser.open(server + under);
      // The page says so when its wasm runs and what it opens with is shown.
      const ready = await until(() => browser.run('return document.documentElement.dataset.ready'), Boolean);
      assert.equal(ready, 'yes', await browser.run('return document.body.innerText'));
    }));
}
