// In: a WebDriver program and what it should start. Out: a browser that opens pages and runs scripts, over plain HTTP.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Starts the driver (`command` gets `--port=N`) and a browser with these capabilities; `close` ends both. */
export async function openBrowser(command, capabilities) {
  const port = await freePort();
  const [program, ...args] = [...command, `--port=${port}`];
  // A group of its own: a wrapper such as xvfb-run does not pass signals on to what it started.
  const driver = spawn(program, args, { stdio: 'ignore', detached: true });
  const stop = () => process.kill(-driver.pid, 'SIGTERM');
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
