// In: the .wasm file. Out: the module, compiled once for the page and its worker.
import init from './pkg/rigview.js';

export async function compile(): Promise<WebAssembly.Module> {
  const url = new URL('./pkg/rigview_bg.wasm', import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // A server that names the wrong type.
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export async function load(module: WebAssembly.Module): Promise<void> {
  await init({ module_or_path: module });
}
