// In: the sources. Out: an exit code: formatted, no lint in the native and the wasm build, types hold.
import { join } from 'node:path';
import { npmPackages } from './packages.mjs';
import { buildWasm } from './pkg.mjs';
import { main, show, www } from './run.mjs';

await main(async () => {
  await show('format', 'cargo', ['fmt', '--check'], { fix: 'run `cargo fmt`' });
  await npmPackages();
  // The page's types come from www/pkg.
  const env = await buildWasm();
  const deny = ['--', '-D', 'warnings'];
  await show('lints, native', 'cargo', ['clippy', '--all-targets', ...deny]);
  await show('lints, wasm', 'cargo', ['clippy', '--lib', '--tests', '--target', 'wasm32-unknown-unknown', ...deny], { env });
  await show('types of the page', process.execPath, [join(www, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '--project', www]);
});
