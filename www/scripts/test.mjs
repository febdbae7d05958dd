// In: nothing but Node and rustup. Out: every test run: native, wasm in two browsers, Node, the page; exit code 1 if one failed.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, find, installBrowsers } from './browsers.mjs';
import { buildSite } from './site.mjs';
import { npmPackages } from './packages.mjs';
import { SetupError, main, root, say, show, www } from './run.mjs';
import { geckodriver } from './tools.mjs';
import { toolchain } from './toolchain.mjs';

await main(async () => {
  await Promise.all([npmPackages(), toolchain(), installBrowsers()]);
  await geckodriver();
  const wasm = await buildSite();

  const failed = [];
  // All of them run, also when one fails: a run should say everything it knows.
  const run = async (what, command, args, options) => {
    try {
      await show(what, command, args, options);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      failed.push(what);
    }
  };

  await run('native tests', 'cargo', ['test']);

  const driver = find(['chromedriver']);
  const chrome = ['test', '--mode', 'no-install', '--headless', '--chrome', ...(driver ? ['--chromedriver', driver] : [])];
  // Without a driver at hand wasm-pack fetches the one that fits the installed Chrome.
  if (!driver) chrome.splice(1, 2);
  await run('wasm tests in Chromium', 'wasm-pack', chrome, { env: wasm });

  const firefox = ['wasm-pack', 'test', '--mode', 'no-install', '--headless', '--firefox', '--geckodriver', find(['geckodriver'])];
  // Firefox has WebGL 2 only with a display; a virtual one will do.
  if (find(['xvfb-run'])) firefox.unshift('xvfb-run', '-a');
  await run('wasm tests in Firefox', firefox[0], firefox.slice(1), { env: wasm });

  const nodeTests = filesIn(join(www, 'tests'), /\.test\.mjs$/);
  if (nodeTests.length > 0) await run('tests in Node', process.execPath, ['--test', ...nodeTests]);

  if (existsSync(join(root, 'tests', 'e2e'))) {
    const playwright = join(www, 'node_modules', '@playwright', 'test', 'cli.js');
    // The specs lie outside www, so they find Playwright by NODE_PATH.
    const env = { NODE_PATH: join(www, 'node_modules'), CHROME: chromium() };
    await run('tests of the page', process.execPath, [playwright, 'test', '--config', 'www/playwright.config.mjs'], { env });
  }

  if (failed.length > 0) throw new SetupError(`failed: ${failed.join(', ')}`, 'the output above says what and where');
  say('all tests passed');
});

function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).filter((name) => pattern.test(name)).map((name) => join(folder, name));
}
