// In: the Rust sources. Out: www/pkg (rigview.js, rigview_bg.wasm, types) for the page, and www/pkg-embed, smaller, for the element;
// built only if a source is newer.
import { existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, ask, cargoHome, root, say, show, www } from './run.mjs';
import { toolchain } from './toolchain.mjs';

const page = join(www, 'pkg');
const embed = join(www, 'pkg-embed');

/** What every browser that has wasm SIMD has, too. */
const features = ['simd', 'bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];

/** The passes that make the file smaller but its brotli larger: calls repeat, and copies of what they call do not. */
const unpaid = ['inlining-optimizing', 'local-cse'];

/**
 * Panics name the source files that they are in, and nobody shall read there where this machine keeps them. As configuration it adds to
 * .cargo/config.toml, where RUSTFLAGS would take its place.
 */
function withoutPaths(env) {
  const sysroot = ask('rustc', ['--print', 'sysroot'], { env: { ...process.env, ...env } });
  const places = [[cargoHome, 'cargo'], [root, 'rigview'], [join(sysroot, 'lib', 'rustlib', 'src', 'rust'), 'rust']];
  const flags = places.map(([path, name]) => `--remap-path-prefix=${path.replace(/[\\/]$/, '')}=${name}`);
  return ['--config', `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`];
}

export async function buildWasm() {
  const env = await toolchain();
  if (isFresh(page)) {
    say('www/pkg is up to date');
    return env;
  }
  const args = ['build', '--release', '--target', 'web', '--mode', 'no-install', '--out-dir', page, '--out-name', 'rigview', '--', ...withoutPaths(env)];
  const began = new Date();
  await show('building the wasm', 'wasm-pack', args, { env });
  guardStrings();
  stamp(page, began);
  return env;
}

/** Without what only the page shows, and small before it is fast: see the profile `embed` in Cargo.toml. */
export async function buildEmbedWasm() {
  const env = await toolchain();
  if (isFresh(embed)) return say('www/pkg-embed is up to date');
  const target = 'wasm32-unknown-unknown';
  const began = new Date();
  await show('building the wasm of the element', 'cargo', ['build', '--lib', '--profile', 'embed', '--no-default-features', '--target', target, ...withoutPaths(env)], { env });
  const built = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), target, 'embed', 'rigview.wasm');
  await show('binding it', 'wasm-bindgen', [built, '--target', 'web', '--out-dir', embed, '--out-name', 'rigview', '--remove-name-section', '--remove-producers-section']);
  const wasm = join(embed, 'rigview_bg.wasm');
  await show('making it small', 'wasm-opt', ['-Oz', ...unpaid.map((pass) => `--skip-pass=${pass}`), ...features.map((feature) => `--enable-${feature}`), wasm, '-o', wasm]);
  stamp(embed, began);
}

/** wasm-bindgen takes any value for a string and then traps inside the wasm, with the model still borrowed. Callers without types get an
 * error instead. */
function guardStrings() {
  const path = join(page, 'rigview.js');
  const glue = readFileSync(path, 'utf8');
  const head = 'function passStringToWasm0(arg, malloc, realloc) {\n';
  if (!glue.includes(head)) throw new SetupError('rigview.js has no passStringToWasm0', 'look at what this wasm-bindgen writes, and mend guardStrings');
  writeFileSync(path, glue.replace(head, `${head}    if (typeof arg !== 'string') throw new TypeError('expected a string, found a ' + typeof arg);\n`));
}

/** Written last, and dated from the build's start: a source that changed meanwhile is newer, and built next time. */
function stamp(folder, began) {
  const path = join(folder, '.built');
  writeFileSync(path, '');
  utimesSync(path, began, began);
}

function isFresh(folder) {
  const sources = ['src', 'Cargo.toml', 'Cargo.lock', '.cargo/config.toml', 'www/scripts/pkg.mjs'].map((path) => join(root, path));
  const path = join(folder, '.built');
  return existsSync(path) && newest(sources) < statSync(path).mtimeMs;
}

function newest(paths) {
  return Math.max(...paths.map((path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs;
    // A folder's own time changes when a file in it is removed.
    return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
  }));
}
