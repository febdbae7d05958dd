// In: Rigview and its peers (assimpjs, @quake2ts/engine, three, Debian's Assimp). Out: a table of ratios on the screen, in
// benches/results.json and benches/results.md. Ours and theirs run in turn on the same inputs, in one process each where they can.
//
//   npm --prefix www run bench                      everything
//   npm --prefix www run bench -- --up-to=10000     no made-up inputs of more vertices
//   npm --prefix www run bench -- --patience=4      as few as three rounds of what takes longer than so many seconds in all
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, homedir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { generate } from '../bench-inputs.mjs';
import { apt, haveApt } from './apt.mjs';
import { browserTimes } from './bench-browser.mjs';
import { npmPackages } from './packages.mjs';
import { buildWasm } from './pkg.mjs';
import { find } from './browsers.mjs';
import { ask, main, root, say, show, step } from './run.mjs';

const option = (name, otherwise) => Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const upTo = option('up-to', 1_000_000);
/** At least this often, unless one round takes longer than `PATIENCE` allows. */
const ROUNDS = 15;
const PATIENCE = option('patience', 25) * 1e3;
/** Outside the package: peers are not ours to carry. */
const peersFolder = process.env.RIGVIEW_BENCH ?? join(homedir(), '.cache', 'rigview-bench');
const inputsFolder = join(peersFolder, 'inputs');
const PEERS = ['assimpjs@0.0.10', '@quake2ts/engine@0.0.836', '@quake2ts/shared@0.0.836', 'gl-matrix@3.4.4', 'three@0.187.0'];

const rows = [];
const notes = [];

/** One line of the table: `ratio` is how many times ours is faster, or with `most` how many times it may take. */
function row({ what, input, ours, peer, theirs, least, most, unit = 'ms' }) {
  const ratio = most === undefined ? theirs / ours : ours / theirs;
  const met = least === undefined && most === undefined ? null : most === undefined ? ratio >= least : ratio <= most;
  rows.push({ what, input, ours, peer, theirs, ratio, bar: least ?? most ?? null, kind: most === undefined ? 'least' : 'most', met, unit });
  const bar = met === null ? '' : `${most === undefined ? '≥' : '≤'} ${least ?? most}× ${met ? 'met' : 'MISSED'}`;
  say(`  ${what.padEnd(34)} ${input.padEnd(24)} ${ours.toPrecision(3)} / ${peer} ${theirs.toPrecision(3)} ${unit}: ${ratio.toFixed(2)}× ${bar}`);
}

/**
 * Best milliseconds of each function, run in turn: of the processor's, where those are fewer than the clock's, so that other programs
 * on the machine do not count against what takes long.
 */
async function best(functions, { rounds = ROUNDS, patience = PATIENCE } = {}) {
  const times = {};
  const began = performance.now();
  for (let round = 0; round < rounds && (round < 3 || performance.now() - began < patience); round++) {
    for (const [name, run] of Object.entries(functions)) {
      const start = performance.now();
      const usage = process.cpuUsage();
      // A function may time itself, in another process.
      const own = await run();
      const wall = performance.now() - start;
      const { user, system } = process.cpuUsage(usage);
      const elapsed = typeof own === 'number' && own > 0 ? own : Math.min(wall, (user + system) / 1e3 || wall);
      if (!(times[name] <= elapsed)) times[name] = elapsed;
    }
  }
  return times;
}

/** A process that answers each line with nanoseconds. */
class Answers {
  #child;
  #waiting = [];

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.(Number(line) / 1e6));
  }

  ask(line) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${line}\n`);
    });
  }

  end() {
    this.#child.stdin.end();
  }
}

async function buildBenches() {
  const pack = (what, cwd, folder, env) =>
    show(what, 'wasm-pack',
      ['--quiet', 'build', '--release', '--target', 'web', '--mode', 'no-install', '--out-dir', join(root, 'target', folder), '--out-name', 'bench'],
      { cwd: join(root, cwd), env });
  await pack('building the loops for wasm', 'benches', 'bench-simd', {});
  await pack('building plain loops for wasm without SIMD', 'benches/plain', 'bench-scalar', { RUSTFLAGS: '-Ctarget-feature=-simd128' });
  await show('building the loops natively', 'cargo', ['build', '--quiet', '--release', '--package', 'rigview-bench', '--bin', 'instructions']);
  const load = async (folder) => {
    const module = await import(pathToFileURL(join(root, 'target', folder, 'bench.js')).href);
    module.initSync({ module: readFileSync(join(root, 'target', folder, 'bench_bg.wasm')) });
    return module;
  };
  const native = join(root, 'target', 'release', process.platform === 'win32' ? 'instructions.exe' : 'instructions');
  return { simd: await load('bench-simd'), scalar: await load('bench-scalar'), native: new Answers(native, ['time']) };
}

async function installPeers() {
  mkdirSync(inputsFolder, { recursive: true });
  const lock = join(peersFolder, '.installed');
  if (!existsSync(lock) || readFileSync(lock, 'utf8') !== PEERS.join()) {
    writeFileSync(join(peersFolder, 'package.json'), '{ "private": true }\n');
    await step('installing the peers', 'npm', ['install', '--no-audit', '--no-fund', ...PEERS], { cwd: peersFolder, fix: 'check the network' });
    writeFileSync(lock, PEERS.join());
  }
  const file = (path) => pathToFileURL(join(peersFolder, 'node_modules', path)).href;
  const assimpjs = await (await import(file('assimpjs/dist/assimpjs.js'))).default();
  const quake2ts = await import(file('@quake2ts/engine/dist/esm/index.js')).catch((error) => (notes.push(`@quake2ts/engine: ${error.message}`), null));
  const three = await import(file('three/build/three.module.js'));
  return { assimpjs, quake2ts, three, assimp: await nativeAssimp() };
}

/** A small program around Debian's Assimp, where there is a compiler for it. */
async function nativeAssimp() {
  if (haveApt && find(['g++'])) await apt('Assimp', ['libassimp-dev']);
  const program = join(peersFolder, 'assimp');
  const built = spawnSync('g++', ['-O2', join(root, 'benches', 'assimp.cpp'), '-lassimp', '-o', program]);
  if (built.status === 0) return new Answers(program, []);
  notes.push('no native Assimp: it needs g++ and libassimp-dev');
  return null;
}

/** Writes the inputs to disk, since native programs read them there. Each in its own folder: Assimp looks for animations beside. */
function inputs() {
  const list = [];
  const add = (name, bytes) => {
    const folder = join(inputsFolder, name.replace(/\W/g, '_'));
    const path = join(folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, bytes);
    list.push({ name, path, bytes, format: name.split('.').at(-1) });
  };
  for (const count of [1_000, 10_000, 100_000, 1_000_000].filter((count) => count <= upTo)) {
    for (const format of ['md5mesh', 'smd', 'md3']) add(`${count / 1000}k.${format}`, generate(format, count));
  }
  const models = join(root, '..', 'shared', 'models');
  const real = [
    'md5/unvanquished/rifle/rifle_view.md5mesh', 'md5/redeclipse/weapons/plasma/plasma.md5mesh', 'md5/redeclipse/actors/drone/mesh.md5mesh',
    'smd/kbat/bate.smd', 'smd/assimp/WusonSMD.smd',
    'md3/openarena/models/players/penguin/upper.md3', 'md3/openarena/models/players/sarge/lower.md3',
  ].map((path) => join(models, path)).filter(existsSync);
  for (const path of real) add(basename(path), readFileSync(path));
  if (real.length === 0) notes.push('no ../shared/models: generated inputs only');
  return list;
}

/** Bytes to data, each by its own word: parse alone, and all that opening takes. */
async function parsing(input, rigview, benches, peers) {
  const { name, bytes, path, format } = input;
  const { simd, native } = benches;
  const megabytes = bytes.length / 1e6;
  const bench = new simd.Bench(name, bytes);
  const open = () => {
    const files = new rigview.Files();
    files.add(name, bytes);
    rigview.Model.open(files).free();
    files.free();
  };
  const runs = {
    ours: () => void bench.parse(1),
    open,
    native: () => native.ask(`parse ${path}`),
    copy: () => void bench.copyFile(1),
  };
  if (format === 'md5mesh') runs.plain = () => void bench.parsePlain(1);
  if (peers.assimp) runs.assimp = () => peers.assimp.ask(path);
  if (format === 'md3' && peers.quake2ts) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    runs.quake2ts = () => void peers.quake2ts.parseMd3(buffer);
  }
  const times = await best(runs);
  bench.free();
  input.parse = times.ours;
  const bars = { md5mesh: 5, smd: 1.6, md3: 6 }[format];
  const parse = (peer, theirs, bar) => theirs && row({ what: `${format} parse`, input: name, ours: times.ours, peer, theirs, ...bar });
  parse('native Assimp', times.assimp, { least: bars });
  parse('split + std parse', times.plain, { least: 2.5 });
  parse('same code native', times.native, { least: 0.75 });
  parse('quake2ts parseMd3', times.quake2ts, { least: 50 });
  if (format === 'md3') parse('memcpy of the file', times.copy, { most: 6 });
  row({ what: `${format} open (parse + normals + checks)`, input: name, ours: times.open, peer: 'memcpy of the file', theirs: times.copy });
  // Its AddFile takes 250 ns a byte.
  if (megabytes < 6) {
    const ajs = peers.assimpjs;
    const split = { add: Infinity, convert: Infinity, json: Infinity };
    const theirs = await best({
      ours: open,
      assimpjs: () => {
        const list = new ajs.FileList();
        let at = performance.now();
        const lap = (what) => {
          split[what] = Math.min(split[what], performance.now() - at);
          at = performance.now();
        };
        list.AddFile(name, bytes);
        lap('add');
        const result = ajs.ConvertFileList(list, 'assjson');
        lap('convert');
        if (!result.IsSuccess()) throw new Error(`assimpjs: ${result.GetErrorCode()}`);
        JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent()));
        lap('json');
        list.delete();
        result.delete();
      },
    }, { patience: PATIENCE / 2 }).catch((error) => (notes.push(`${name}: ${error.message ?? error}`), null));
    if (theirs) {
      const all = { what: `${format} bytes to data`, input: name, ours: theirs.ours, peer: 'assimpjs, all', theirs: theirs.assimpjs };
      row(format === 'md5mesh' ? { ...all, least: 150 } : all);
      parse('assimpjs convert', split.convert, format === 'smd' ? { least: 18 } : {});
    }
  }
}

/** Kernels: nanoseconds a vertex. */
async function loops(input, benches, peers) {
  const { name, bytes, format } = input;
  const fast = new benches.simd.Bench(name, bytes);
  const vertices = fast.vertices();
  const times = Math.max(1, Math.ceil(200_000 / vertices));
  const keyed = format === 'md3';
  const matrices = fast.matrices();
  const { PlainKeys, PlainRig } = benches.scalar;
  const plain = keyed ? new PlainKeys(fast.frame(0), fast.frame(1)) : new PlainRig(fast.first(), fast.links(), fast.weights(), fast.rest());
  const plainSimd = keyed ? fast.plainKeys() : fast.plainRig();
  if (!keyed) {
    plain.skin(matrices, 1);
    const [a, b] = [fast.posed(), plain.vertices()];
    const apart = a.reduce((most, number, index) => Math.max(most, Math.abs(number - b[index])), 0);
    if (!(apart < 0.01)) notes.push(`${name}: the fast loop and the plain one are ${apart} apart`);
  }
  const work = (loop) => () => void (keyed ? loop.lerp(times) : loop.skin(matrices, times));
  const runs = {
    ours: () => void fast.skin(times),
    plain: work(plain),
    plainSimd: work(plainSimd),
    copy: () => void fast.copy(times),
  };
  const peer = keyed ? quake2tsLerp(peers, input) : threeSkin(peers, fast, vertices);
  if (peer) runs.peer = peer.run;
  const found = await best(runs, { rounds: 60 });
  for (const run of Object.keys(found)) found[run] = (found[run] * 1e6) / (run === 'peer' ? peer.vertices : vertices * times);
  const what = keyed ? 'md3 lerp P+N' : 'skinning P+N+T';
  const line = (peerName, theirs, bar) => row({ what, input: name, ours: found.ours, peer: peerName, theirs, unit: 'ns/vertex', ...bar });
  line('scalar wasm', found.plain, { least: keyed ? 3.5 : 4 });
  line('the same, compiler’s SIMD', found.plainSimd, {});
  if (peer) line(peer.name, found.peer, { least: keyed ? 40 : 25 });
  line('memcpy of the output', found.copy, keyed ? {} : { most: 6 });
  input.skin = found.ours * vertices * 1e-6;
  if (!keyed) {
    const joints = fast.joints();
    const { pose } = await best({ pose: () => void fast.pose(200) });
    input.pose = pose / 200;
    rows.push({ what: 'pose', input: name, ours: (pose / 200) * 1e3, unit: 'µs', peer: `${joints} joints`, theirs: null, ratio: null, bar: null, met: null });
  }
  fast.free();
  plain.free();
  plainSimd.free();
}

/** three's SkinnedMesh.applyBoneTransform over every vertex, four weights each, positions only. */
function threeSkin({ three }, bench, vertices) {
  const joints = bench.joints();
  const bones = Array.from({ length: joints }, () => new three.Bone());
  const geometry = new three.BufferGeometry();
  const attribute = (numbers, size) => new three.BufferAttribute(numbers, size);
  geometry.setAttribute('position', attribute(new Float32Array(vertices * 3).map((_, index) => index % 97), 3));
  geometry.setAttribute('skinIndex', attribute(new Uint16Array(vertices * 4).map((_, index) => index % joints), 4));
  geometry.setAttribute('skinWeight', attribute(new Float32Array(vertices * 4).fill(0.25), 4));
  const mesh = new three.SkinnedMesh(geometry);
  mesh.add(bones[0]);
  bones.slice(1).forEach((bone) => bones[0].add(bone));
  mesh.bind(new three.Skeleton(bones));
  const count = Math.min(vertices, 20_000);
  const vector = new three.Vector3();
  const position = geometry.getAttribute('position');
  const run = () => {
    for (let index = 0; index < count; index++) mesh.applyBoneTransform(index, vector.fromBufferAttribute(position, index));
  };
  return { name: 'three applyBoneTransform (P only)', run, vertices: count };
}

function quake2tsLerp({ quake2ts }, { bytes }) {
  if (!quake2ts) return null;
  const model = quake2ts.parseMd3(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const surfaces = model.surfaces.slice(0, 20);
  const geometry = surfaces.map((surface) => quake2ts.buildMd3SurfaceGeometry(surface));
  let vertices = 0;
  surfaces.forEach((_, index) => (vertices += quake2ts.buildMd3VertexData(surfaces[index], geometry[index], { frame0: 0, frame1: 1, lerp: 0.5 }).length / 8));
  const run = () => surfaces.forEach((surface, index) => quake2ts.buildMd3VertexData(surface, geometry[index], { frame0: 0, frame1: 1, lerp: 0.5 }));
  return { name: 'quake2ts buildMd3VertexData', run, vertices };
}

/** Parse and skin from the smallest to the largest of each format, as cost a byte or a vertex. */
function growth(list) {
  for (const format of ['md5mesh', 'smd', 'md3']) {
    const sized = list.filter((input) => input.format === format && /^\d+k\./.test(input.name));
    const [first, last] = [sized[0], sized.at(-1)];
    const grown = (field, size) => last[field] / size(last) / (first[field] / size(first));
    const line = (what, ratio) => rows.push({ what, input: `${first.name} → ${last.name}`, ours: ratio, unit: '× a unit', peer: 'linear', theirs: 1, ratio, bar: 1.2, kind: 'most', met: ratio <= 1.2 });
    line(`${format} parse, growth`, grown('parse', (input) => input.bytes.length));
    if (last.skin && first.skin) line(`${format} pose, growth`, grown('skin', (input) => parseInt(input.name, 10)));
  }
}

/** What a fresh process needs: start to model, the wasm compiled anew; and the peak of wasm memory for one large file. */
async function coldAndMemory(list) {
  const input = list.find(({ name }) => name === '10k.md5mesh');
  const run = (script, ...args) => JSON.parse(ask(process.execPath, [join(root, 'www', 'scripts', script), ...args], { timeout: 600_000 }) ?? 'null');
  const cold = { ours: Infinity, theirs: Infinity };
  for (let round = 0; round < 5; round++) {
    cold.ours = Math.min(cold.ours, run('bench-cold.mjs', 'rigview', input.path)?.milliseconds ?? Infinity);
    cold.theirs = Math.min(cold.theirs, run('bench-cold.mjs', 'assimpjs', input.path, peersFolder)?.milliseconds ?? Infinity);
  }
  row({ what: 'md5mesh cold: instantiate to data', input: input.name, ours: cold.ours, peer: 'assimpjs', theirs: cold.theirs });
  for (const format of ['md5mesh', 'smd', 'md3']) {
    const large = list.filter((candidate) => candidate.format === format && /^\d+k\./.test(candidate.name)).at(-1);
    const memory = run('bench-cold.mjs', 'rigview', large.path);
    if (!memory) continue;
    const ratio = memory.peak / (memory.file + memory.model);
    rows.push({ what: `${format} memory, peak`, input: large.name, ours: memory.peak / 1e6, unit: 'MB', peer: 'file + model', theirs: (memory.file + memory.model) / 1e6, ratio, bar: 3, kind: 'most', met: ratio <= 3 });
  }
}

function write() {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`;
  const given = process.argv.slice(2).join(' ');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, 'benches', 'results.json'), `${JSON.stringify({ date, machine, notes, rows }, null, 1)}\n`);
  const number = (value) => (value === null || value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const cells = rows.map(({ what, input, ours, peer, theirs, ratio, bar, kind, met, unit }) => [
    what, input, `${number(ours)} ${unit}`, theirs === null ? peer : `${peer}: ${number(theirs)}`, ratio === null ? '' : `${number(ratio)}×`,
    bar === null ? '' : `${kind === 'most' ? '≤' : '≥'} ${bar}×`, met === null ? '' : met ? 'yes' : 'no',
  ]);
  const lines = [['What', 'Input', 'Ours', 'Against', 'Ratio', 'Bar', 'Met'], ['---', '---', '--:', '---', '--:', '--:', '---'], ...cells];
  const text = [`Measured ${date} on ${machine}, by \`npm --prefix www run bench${given ? ` -- ${given}` : ''}\`: best of 15 to 60 rounds (fewer where one takes seconds), ours and theirs in turn.`, '',
    ...lines.map((line) => `| ${line.join(' | ')} |`), '', ...notes.map((note) => `- ${note}`)];
  writeFileSync(join(root, 'benches', 'results.md'), `${text.join('\n').trimEnd()}\n`);
  const missed = rows.filter(({ met }) => met === false);
  say(`${rows.filter(({ met }) => met).length} bars met, ${missed.length} missed; benches/results.md has the table`);
}

await main(async () => {
  await npmPackages();
  await buildWasm();
  const benches = await buildBenches();
  const peers = await installPeers();
  const rigview = await import('../pkg/rigview.js');
  rigview.initSync({ module: readFileSync(join(root, 'www', 'pkg', 'rigview_bg.wasm')) });
  const list = inputs();
  for (const input of list) if (input.bytes.length < 500e6) await loops(input, benches, peers);
  for (const input of list) await parsing(input, rigview, benches, peers);
  if (peers.assimp) notes.push('Assimp reads the first frame of an .md3 and leaves the others; Rigview reads all: 200 of upper.md3, 213 of lower.md3, 8 of the made-up ones.');
  growth(list);
  await coldAndMemory(list);
  write();
  rows.push(...(await browserTimes(notes).catch((error) => (notes.push(`in Chromium: ${error.message}`), []))));
  write();
  benches.native.end();
  peers.assimp?.end();
});
