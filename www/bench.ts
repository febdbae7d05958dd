// In: this browser and its GPU. Out: how long Rigview takes in it, through the API that everyone uses; in `window.benchRows` for
// scripts/bench-browser.mjs.
import { generate } from './bench-inputs.mjs';
import { Files, Model, Viewer } from './pkg/rigview.js';
import { compile, load } from './wasm';

/** One line of the table, as scripts/bench.mjs has them. */
interface Row {
  what: string;
  input: string;
  ours: number;
  unit: string;
  peer: string;
  theirs: number | null;
  ratio: number | null;
  bar: number | null;
  kind: 'least' | 'most';
  met: boolean | null;
}

declare global {
  interface Window {
    benchRows?: Row[];
  }
}

const ROUNDS = 60;
/** A page's clock may be as coarse as this many milliseconds, so that a round has to be long beside it. */
const ROUND = 4;
/** Milliseconds between two pictures at 60 Hz. */
const FRAME = 1000 / 60;

const rows: Row[] = [];
const byId = (id: string) => document.getElementById(id)!;
const body = byId('rows').querySelector('tbody')!;

function show(row: Row): void {
  rows.push(row);
  byId('rows').hidden = false;
  const beside = row.ratio === null || row.theirs === null ? row.peer : `${(row.ratio * 100).toPrecision(3)} % of ${row.peer}`;
  const line = body.insertRow();
  for (const cell of [row.what, row.input, `${row.ours.toPrecision(3)} ${row.unit}`, beside]) line.insertCell().textContent = cell;
}

function plain(what: string, input: string, ours: number, unit: string, peer: string): void {
  show({ what, input, ours, unit, peer, theirs: null, ratio: null, bar: null, kind: 'most', met: null });
}

/** Lets the page breathe. */
const breathe = () => new Promise((ready) => setTimeout(ready));

/** Best milliseconds of one call. */
async function best(run: () => void): Promise<number> {
  let calls = 1;
  for (let took = 0; ; calls *= 2) {
    const began = performance.now();
    for (let call = 0; call < calls; call++) run();
    took = performance.now() - began;
    if (took >= ROUND) break;
  }
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    await breathe();
    const began = performance.now();
    for (let call = 0; call < calls; call++) run();
    least = Math.min(least, (performance.now() - began) / calls);
  }
  return least;
}

async function opening(name: string, bytes: Uint8Array): Promise<void> {
  const milliseconds = await best(() => {
    const files = new Files();
    files.add(name, bytes);
    Model.open(files).free();
    files.free();
  });
  plain('open, in the browser', name, milliseconds, 'ms', `${(bytes.length / 1e3 / milliseconds).toFixed(0)} MB/s`);
}

/** What the CPU does for a picture of 6,000 vertices and 110 joints that move. */
async function frame(): Promise<void> {
  const vertices = 6000;
  const files = new Files();
  files.add('walk.md5mesh', generate('md5mesh', vertices));
  files.add('walk.md5anim', generate('md5anim', 0));
  const model = Model.open(files);
  const clip = model.clips[0]?.name ?? null;
  if (clip === null) throw new Error('the animation did not bind');
  const input = `${vertices} vertices, ${model.joints.length} joints`;

  let seconds = 0;
  const pose = () => model.pose(clip, (seconds += 0.01));
  const sample = await best(pose);
  const posed = await best(() => {
    pose();
    void model.bounds;
  });
  plain('pose alone', input, sample * 1e3, 'µs', '');
  plain('pose and skin', input, posed * 1e3, 'µs', '');

  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new Error('no WebGL 2');
  const data = new Uint8Array(vertices * 40);
  const ring = [0, 1, 2].map(() => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data.length, gl.DYNAMIC_DRAW);
    return buffer;
  });
  let turn = 0;
  const upload = await best(() => {
    gl.bindBuffer(gl.ARRAY_BUFFER, ring[(turn = (turn + 1) % 3)]!);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
  });
  plain('the call that uploads', `${data.length / 1e3} KB`, upload * 1e3, 'µs', '');
  const ratio = (posed + upload) / FRAME;
  const what = 'animated frame: pose, skin, upload call';
  show({ what, input, ours: posed + upload, unit: 'ms', peer: 'a frame at 60 Hz', theirs: FRAME, ratio, bar: 0.01, kind: 'most', met: ratio <= 0.01 });

  const canvas = byId('canvas') as HTMLCanvasElement;
  const viewer = new Viewer(canvas);
  viewer.resize(canvas.width, canvas.height, 1);
  viewer.show(model, false);
  viewer.setClip(clip);
  viewer.play();
  let now = performance.now();
  const drawn = await best(() => void viewer.draw((now += FRAME)));
  plain('Viewer.draw, its calls to WebGL and all', input, drawn * 1e3, 'µs', `${((drawn / FRAME) * 100).toPrecision(2)} % of a frame`);

  // A picture that stays the same is not drawn again.
  viewer.pause();
  viewer.draw(now);
  const calls = countCalls(canvas.getContext('webgl2')!, () => {
    for (let again = 0; again < 300; again++) viewer.draw((now += FRAME));
  });
  show({ what: 'paused: calls to WebGL', input: '300 times Viewer.draw', ours: calls, unit: 'calls', peer: 'none', theirs: 0, ratio: calls, bar: 0, kind: 'most', met: calls === 0 });
}

/** How often a piece of work calls this WebGL context to draw, to upload or to set anything. */
function countCalls(gl: WebGL2RenderingContext, work: () => void): number {
  const own = gl as unknown as Record<string, unknown>;
  let calls = 0;
  const wrapped: string[] = [];
  for (const name in gl) {
    const method = own[name];
    if (typeof method !== 'function' || name === 'isContextLost') continue;
    own[name] = (...parameters: unknown[]) => {
      calls++;
      return method.apply(gl, parameters);
    };
    wrapped.push(name);
  }
  work();
  for (const name of wrapped) delete own[name];
  return calls;
}

function machine(): string {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const gpu = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : 'unknown GPU';
  return `${navigator.userAgent}; ${navigator.hardwareConcurrency} cores; ${gpu}`;
}

async function measure(): Promise<void> {
  byId('run').setAttribute('disabled', '');
  try {
    byId('status').textContent = 'measuring …';
    byId('machine').textContent = machine();
    await load(await compile());
    for (const vertices of [1_000, 10_000]) {
      for (const format of ['md5mesh', 'smd', 'md3'] as const) await opening(`${vertices / 1000}k.${format}`, generate(format, vertices));
    }
    await frame();
    byId('status').textContent = 'done';
  } catch (error) {
    byId('status').textContent = `stopped: ${error instanceof Error ? error.message : String(error)}`;
  }
  window.benchRows = rows;
  document.documentElement.dataset.done = 'yes';
}

byId('run').addEventListener('click', () => void measure());
if (new URLSearchParams(location.search).has('run')) void measure();
