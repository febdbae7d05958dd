// In: nothing. Out: all that building the wasm takes is there.
import { checkRust, wasmTarget } from './target.mjs';
import { wasmTools } from './tools.mjs';

/** Makes sure of the wasm target and the tools, and gives the environment to build with. */
export async function toolchain() {
  checkRust();
  // The target is a download, the tools are compiled: side by side.
  const [env] = await Promise.all([wasmTarget(), wasmTools()]);
  return env;
}
