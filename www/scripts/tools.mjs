// In: Cargo.lock. Out: wasm-pack, the wasm-bindgen tool of the very version in the lock, geckodriver; in cargo's bin folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, cargoHome, root, say, step } from './run.mjs';

/** Speed of the tool matters little, time to install it matters on a first run. */
const quickBuild = {
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  CARGO_PROFILE_RELEASE_DEBUG: '0',
  // One folder, so that what the tools share is compiled once and a stopped run goes on where it was.
  CARGO_TARGET_DIR: join(root, 'target', 'tools'),
};

export async function wasmTools() {
  const version = readFileSync(join(root, 'Cargo.lock'), 'utf8').match(/name = "wasm-bindgen"\r?\nversion = "(.*)"/)[1];
  // Not --locked: the tool must match the crate, its own dependencies need not match anything.
  await cargoInstall('wasm-bindgen-cli', 'wasm-bindgen', version, []);
  await cargoInstall('wasm-pack', 'wasm-pack', '0.15.1', ['--locked']);
}

export function geckodriver() {
  return cargoInstall('geckodriver', 'geckodriver', '0.37.1', ['--locked'], 'any');
}

async function cargoInstall(crate, binary, version, flags, wanted = 'exact') {
  const found = ask(binary, ['--version'])?.match(/\d+\.\d+\.\d+/)?.[0];
  if (found === version || (found && wanted === 'any')) return;
  if (found) say(`${binary} ${found} is there, but ${version} is needed: replacing it`);
  const args = ['install', crate, '--version', version, '--root', cargoHome, '--force', ...flags];
  await step(`installing ${crate} ${version} (compiling it takes minutes, once)`, 'cargo', args, {
    env: quickBuild,
    fix: `check the network, then run \`cargo ${args.join(' ')}\``,
  });
}
