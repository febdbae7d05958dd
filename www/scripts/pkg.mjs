// In: the Rust sources. Out: www/pkg (rigview.js, rigview_bg.wasm, types), built only if a source is newer.
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, show, www } from './run.mjs';
import { toolchain } from './toolchain.mjs';

/** Written last, and dated from the build's start: a source that changed meanwhile is newer, and built next time. */
const stamp = join(www, 'pkg', '.built');

export async function buildWasm() {
  const env = await toolchain();
  if (isFresh()) {
    say('www/pkg is up to date');
    return env;
  }
  const args = ['build', '--release', '--target', 'web', '--mode', 'no-install', '--out-dir', join(www, 'pkg'), '--out-name', 'rigview'];
  const began = new Date();
  await show('building the wasm', 'wasm-pack', args, { env });
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
  return env;
}

function isFresh() {
  const sources = ['src', 'Cargo.toml', 'Cargo.lock', '.cargo/config.toml'].map((path) => join(root, path));
  return existsSync(stamp) && newest(sources) < statSync(stamp).mtimeMs;
}

function newest(paths) {
  return Math.max(...paths.map((path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs;
    // A folder's own time changes when a file in it is removed.
    return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
  }));
}
