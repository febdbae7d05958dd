// In: www/embed, www/pkg-embed and www/pkg. Out: www/dist/package, ready for `npm pack`, and www/dist/embed.html for iframes.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, www } from './run.mjs';

const version = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"/m)[1];
const dist = join(www, 'dist');
const folder = join(dist, 'package');

export async function buildEmbed() {
  const { build } = await import('vite');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shared = { configFile: false, root: www, publicDir: false, logLevel: 'warn', define: { RIGVIEW_VERSION: JSON.stringify(version) }, plugins: [ownWasm()] };
  const target = ['chrome91', 'edge91', 'firefox89', 'safari16.4'];
  const library = (entry, format, fileName, outDir, external) =>
    build({ ...shared, build: { target, outDir, emptyOutDir: false, lib: { entry: join(www, 'embed', entry), formats: [format], name: 'rigview', fileName: () => fileName }, rolldownOptions: { ...external, output: { minify: true, ...external?.output } } } });
  await library('module.ts', 'es', 'rigview.js', folder);
  await library('classic.ts', 'iife', 'rigview.classic.js', folder);
  // The iframe's page shares the package's files with whoever uses the element.
  await library('frame.ts', 'es', 'frame.js', dist, { external: ['./module'] });
  const frame = join(dist, 'frame.js');
  writeFileSync(frame, readFileSync(frame, 'utf8').replace('"./module"', '"./package/rigview.js"'));

  const html = readFileSync(join(www, 'embed.html'), 'utf8');
  writeFileSync(join(dist, 'embed.html'), html.replace('./embed/frame.ts', './frame.js'));
  copyFileSync(join(www, 'pkg-embed', 'rigview_bg.wasm'), join(folder, 'rigview_bg.wasm'));
  // The same core whole and without an element: for Node, for workers, and for `check()`.
  const core = join(folder, 'core');
  mkdirSync(core);
  for (const name of ['rigview.js', 'rigview_bg.wasm', 'rigview.d.ts']) copyFileSync(join(www, 'pkg', name), join(core, name));
  // `npx rigview check FILES…` is the repository's script upon that core.
  mkdirSync(join(folder, 'bin'));
  const command = readFileSync(join(www, 'scripts', 'check.mjs'), 'utf8').replaceAll('../pkg/', '../core/');
  writeFileSync(join(folder, 'bin', 'rigview.mjs'), command, { mode: 0o755 });
  writeFileSync(join(folder, 'rigview.d.ts'), types());
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2) + '\n');
  copyFileSync(join(www, 'embed', 'README.md'), join(folder, 'README.md'));
  for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']) if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name));
  say('www/dist/package is the embed, www/dist/embed.html the page for iframes');
}

/** The wasm that the element needs and no more; it lies beside the script, whose build must not pull it in. */
function ownWasm() {
  return {
    name: 'own-wasm',
    enforce: 'pre',
    resolveId: (id) => (/(^|\/)pkg\/rigview\.js$/.test(id) ? join(www, 'pkg-embed', 'rigview.js') : undefined),
    transform: (code, id) => (id.endsWith('pkg-embed/rigview.js') ? code.replace(/new URL\('rigview_bg\.wasm', import\.meta\.url\)/, 'undefined') : undefined),
  };
}

function types() {
  const api = readFileSync(join(www, 'embed', 'api.ts'), 'utf8').replace('../pkg/rigview.js', './core/rigview.js');
  return `${api}
export declare const RigView: RigViewClass;
export type RigView = RigViewElement;

declare global {
  interface HTMLElementTagNameMap {
    'rig-view': RigViewElement;
  }
}
`;
}

function manifest() {
  return {
    name: 'rigview',
    version,
    description: '<rig-view>: models of Doom 3, Quake III, Half-Life and Source in any web page',
    type: 'module',
    main: './rigview.js',
    module: './rigview.js',
    types: './rigview.d.ts',
    exports: { '.': { types: './rigview.d.ts', default: './rigview.js' }, './rigview.classic.js': './rigview.classic.js', './rigview_bg.wasm': './rigview_bg.wasm', './core': { types: './core/rigview.d.ts', default: './core/rigview.js' }, './core/rigview_bg.wasm': './core/rigview_bg.wasm' },
    bin: { rigview: './bin/rigview.mjs' },
    files: ['rigview.js', 'rigview.classic.js', 'rigview_bg.wasm', 'rigview.d.ts', 'core', 'bin', 'LICENSE*'],
    // Loading it defines the element.
    sideEffects: true,
    license: 'MIT OR Apache-2.0',
    keywords: ['md5', 'md3', 'smd', 'doom3', 'quake3', 'half-life', 'viewer', 'webgl', 'custom-element'],
  };
}
