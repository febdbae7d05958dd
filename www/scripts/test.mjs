// In: nothing but Node and rustup. Out: every test run: native, wasm in two browsers, Node, the page; exit code 1 if one failed.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, find, firefox, installBrowsers } from './browsers.mjs';
import { Counts } from './counts.mjs';
import { npmPackages } from './packages.mjs';
import { SetupError, main, root, say, show, www } from './run.mjs';
import { buildSite } from './site.mjs';
import { toolchain } from './toolchain.mjs';
import { geckodriver } from './tools.mjs';

const counts = new Counts();
/** The one test file that runs in browsers. */
const webTests = ['--', '--test', 'web'];

const nativeTests = () => run('native tests', 'cargo', ['test', '--no-fail-fast']);

function chromiumTests(env) {
  chromium();
  // Without a driver at hand wasm-pack fetches the one that fits the installed Chrome.
  const driver = find(['chromedriver']);
  const flags = driver ? ['--mode', 'no-install', '--chromedriver', driver] : [];
  return run('wasm tests in Chromium', 'wasm-pack', ['test', '--headless', '--chrome', ...flags, ...webTests], { env });
}

function firefoxTests(env) {
  firefox();
  const command = ['wasm-pack', 'test', '--mode', 'no-install', '--headless', '--firefox', '--geckodriver', find(['geckodriver']), ...webTests];
  // Without a GPU Firefox has WebGL 2 only on a display; a virtual one will do.
  if (find(['xvfb-run'])) command.unshift('xvfb-run', '-a');
  return run('wasm tests in Firefox', command[0], command.slice(1), { env });
}

function nodeTests() {
  const files = filesIn(join(www, 'tests'), /\.test\.mjs$/);
  return run('tests in Node', process.execPath, ['--test', '--test-reporter=spec', ...files]);
}

const sizeTest = () => run('size of the embed', process.execPath, [join(www, 'scripts', 'sizes.mjs')]);

function pageTests() {
  const playwright = join(www, 'node_modules', '@playwright', 'test', 'cli.js');
  // The specs lie outside www, so Node finds Playwright for them by NODE_PATH.
  const env = { NODE_PATH: join(www, 'node_modules'), CHROME: chromium() };
  return run('tests of the page', process.execPath, [playwright, 'test', '--config', 'www/playwright.config.mjs'], { env });
}

function run(what, command, args, options) {
  return show(what, command, args, { ...options, line: (text) => counts.line(text) });
}

function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

await main(async () => {
  await Promise.all([npmPackages(), toolchain().then(geckodriver), installBrowsers()]);
  const wasm = await buildSite();

  // All suites run, also when one fails: a run should say everything it knows.
  const problems = [];
  for (const suite of [nativeTests, chromiumTests, firefoxTests, nodeTests, sizeTest, pageTests]) {
    try {
      await suite(wasm);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      problems.push(error);
    }
  }
  console.log(counts.toString());
  for (const problem of problems) console.error(`rigview: ${problem.message}`);
  if (problems.length > 0) process.exit(1);
  say('all tests passed');
});
