// In: folders and pages. Out: a plain file server, and the browsers that are not Chromium, driven over plain HTTP.
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { extname } from 'node:path';
import { find, webkit } from '../scripts/browsers.mjs';

const display = find(['xvfb-run']) ? ['xvfb-run', '-a'] : [];

/** Firefox's engine and Safari's; `driver` is missing where it is not installed. */
export const engines = [
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

/** Serves what `file` says lies at a path, or a text; lets `then` visit it with the engine's browser; and ends both, whatever comes. */
export async function visit({ driver, capabilities }, file, then) {
  const server = await serve(file);
  try {
    const browser = await openBrowser([...display, driver], capabilities);
    try {
      await then(browser, `http://127.0.0.1:${server.address().port}`);
    } finally {
      await browser.close();
    }
  } finally {
    // A browser that hangs keeps its connections, and these the test.
    server.close();
    server.closeAllConnections();
  }
}

/** Looks again, every half second at most `tries` times, until what it sees is what is looked for. */
export async function until(look, found, tries = 200) {
  for (;;) {
    const value = await look();
    if (found(value) || --tries <= 0) return value;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** As plain as file servers come. `file` gives a path on the disk, a page as `{ html }`, or nothing. */
function serve(file) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.png': 'image/png', '.jpg': 'image/jpeg' };
  const server = createHttpServer((request, response) => {
    const found = file(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    if (found?.html) return response.writeHead(200, { 'content-type': types['.html'] }).end(found.html);
    if (!found || !existsSync(found) || !statSync(found).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(found)] ?? 'application/octet-stream' });
    createReadStream(found).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Starts the driver (`command` gets `--port=N`) and a browser with these capabilities; `close` ends both. */
async function openBrowser(command, capabilities) {
  const port = await freePort();
  const [program, ...args] = [...command, `--port=${port}`];
  // A group of its own: a wrapper such as xvfb-run does not pass signals on to what it started.
  const driver = spawn(program, args, { stdio: 'ignore', detached: true });
  const stop = () => {
    try {
      process.kill(-driver.pid, 'SIGTERM');
    } catch {
      // It ended by itself.
    }
  };
  try {
    const base = `http://127.0.0.1:${port}`;
    await answered(`${base}/status`);
    const { sessionId } = await call('POST', `${base}/session`, { capabilities: { alwaysMatch: capabilities } });
    const session = `${base}/session/${sessionId}`;
    return {
      open: (url) => call('POST', `${session}/url`, { url }),
      run: (script, ...values) => call('POST', `${session}/execute/sync`, { script, args: values }),
      /** The window's picture, as PNG bytes. */
      screenshot: async () => Buffer.from(await call('GET', `${session}/screenshot`), 'base64'),
      close: () => call('DELETE', session).finally(stop),
    };
  } catch (error) {
    stop();
    throw error;
  }
}

async function call(method, url, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

async function answered(url) {
  for (let tries = 0; ; tries++) {
    try {
      return await call('GET', url);
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
