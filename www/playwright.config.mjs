// In: www/dist, as built. Out: the page's tests in the Chromium of this machine.
import { defineConfig } from '@playwright/test';
import { chromium, chromiumArgs } from './scripts/browsers.mjs';
import { root, www } from './scripts/run.mjs';

const port = Number(process.env.PORT ?? 4173);

export default defineConfig({
  testDir: `${root}/tests/e2e`,
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  outputDir: `${www}/test-results`,
  // Software rendering keeps every core busy; pages that wait for one another fail for no reason.
  workers: 1,
  timeout: 120_000,
  // Without a graphics card a picture may take a second, and a reset of the driver some.
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: { executablePath: chromium(), args: chromiumArgs },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  webServer: {
    command: `"${process.execPath}" node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    cwd: www,
    port,
    reuseExistingServer: false,
  },
});
