// In: www/dist with bench.html. Out: the rows that the page measures in headless Chromium.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

import { chromium as find, chromiumArgs } from './browsers.mjs';
import { www } from './run.mjs';
import { buildSite } from './site.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.json': 'application/json' };

export async function browserTimes(notes) {
  const { chromium } = await import('playwright-core');
  await buildSite();
  const server = createServer((request, response) => {
    const path = join(www, 'dist', decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!path.startsWith(join(www, 'dist')) || !existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await chromium.launch({ executablePath: find(), args: chromiumArgs });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => notes.push(`bench.html: ${error.message}`));
    await page.goto(`http://127.0.0.1:${server.address().port}/bench.html?run`);
    await page.waitForFunction(() => document.documentElement.dataset.done === 'yes', null, { timeout: 240_000 });
    return await page.evaluate(() => window.benchRows);
  } finally {
    await browser.close();
    server.close();
  }
}
