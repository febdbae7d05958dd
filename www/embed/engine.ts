// In: the .wasm file beside the script. Out: one running instance of it for the page, whatever the number of elements.
import init, { initSync } from '../pkg/rigview.js';
import { RigError } from './errors';
import { lacksSimd } from './simd';

let address: string | URL | BufferSource | undefined;
let base: string | undefined;
let running: Promise<void> | undefined;

/** The script's own address, which the .wasm lies beside. */
export function setBase(url: string | undefined): void {
  base = url;
}

/** The address of another file of the package. */
export function beside(path: string): string {
  return new URL(path, base ?? document.baseURI).href;
}

export function setWasm(where: typeof address): void {
  address = where;
}

export function getWasm(): typeof address {
  return address;
}

/** The page has started the wasm itself. */
export function isRunning(): void {
  running = Promise.resolve();
}

/** Starts the wasm, once. A failure is not kept: the next element tries again. */
export function engine(): Promise<void> {
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

async function start(): Promise<void> {
  if (lacksSimd()) throw new RigError('webgl', 'This browser lacks WebAssembly SIMD: Chrome and Edge 91, Firefox 89 and Safari 16.4 are the oldest that have it.');
  if (address !== undefined && typeof address !== 'string' && !(address instanceof URL)) {
    initSync({ module: await refusal(WebAssembly.compile(address)) });
    return;
  }
  const url = new URL(address ?? beside('rigview_bg.wasm'), document.baseURI).href;
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    const error = new RigError('fetch', `${url} cannot be fetched: the network, the server's CORS headers or this page's Content-Security-Policy (connect-src) forbid it.`, { url });
    error.cause = cause;
    throw error;
  }
  if (!response.ok) throw new RigError('fetch', `${url}: ${response.status} ${response.statusText}`, { url, status: response.status });
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compileStreaming(response.clone());
  } catch {
    // Many servers name a wrong type for .wasm; the bytes are the same.
    module = await refusal(response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes)));
  }
  await init({ module_or_path: module });
}

async function refusal(module: Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  try {
    return await module;
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const hint = /unsafe-eval|Content Security Policy/i.test(text) ? " This page's Content-Security-Policy must allow 'wasm-unsafe-eval' in script-src." : '';
    const error = new RigError('crash', `The browser refuses the viewer's WebAssembly: ${text}.${hint}`);
    error.cause = cause;
    throw error;
  }
}
