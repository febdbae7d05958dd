// In: www/dist/package, twenty elements on one page. Out: they load and play in Firefox's and in Safari's engine, on one context.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { www } from '../scripts/run.mjs';
import { engines, until, visit } from './webdriver.mjs';

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

for (const engine of engines) {
  const { name, driver } = engine;
  test(`twenty elements load and play in ${name}`, { skip: !driver && `no driver for ${name}`, timeout: 300_000 }, async () => {
    const asked = [];
    const file = (path) => {
      asked.push(path);
      return path === '/twenty.html' ? { html: page } : join(www, path.startsWith('/samples/') ? 'public' : 'dist', path);
    };
    await visit(engine, file, async (browser, server) => {
      await browser.open(`${server}/twenty.html`);
      const shown = await until(() => browser.run(state), (all) => all.length === 20 && all.every(({ covered }) => covered > 0.02));
      assert.deepEqual(shown.filter((view) => view.state !== 'shown' || view.covered <= 0.02), []);
      const before = await browser.run(state);
      const after = await until(() => browser.run(state), (all) => all.every(({ time }, index) => time !== before[index].time));
      assert.ok(after.every(({ time }, index) => time !== before[index].time), 'all of them move');
      assert.equal(asked.filter((path) => path === tock).length, 1, 'fetched once');
    });
  });
}
