// In: a format and a count of vertices. Out: a model file of that size, the same in every run. Numbers are written as the exporters
// write them: six decimals.

/** Joints of the generated models: a spine with limbs, as many as a Doom 3 monster has. */
const JOINTS = 110;
/** MD5 and SMD: how many joints pull on a vertex; like Doom 3's hellknight, with a few up to eight. */
const INFLUENCES = [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 6, 8];
/** Frames of the generated .md3 files. */
export const MD3_FRAMES = 8;

/** A file's bytes. `format` is `md5mesh`, `md5anim`, `smd` or `md3`; an .md5anim has 24 frames whatever the count. */
export function generate(format, vertices) {
  switch (format) {
    case 'md5mesh':
      return md5mesh(vertices);
    case 'md5anim':
      return md5anim();
    case 'smd':
      return smd(vertices);
    case 'md3':
      return md3(vertices);
    default:
      throw new Error(`no generator for ${format}`);
  }
}

/** xorshift: the same numbers in every run, from 0 up to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

const parentOf = (joint) => (joint === 0 ? -1 : joint < 10 ? joint - 1 : joint - 10);
/** Where a joint stands; none is turned, so that joint space is model space, shifted. */
const placeOf = (joint) => [Math.sin(joint * 0.7) * 20, Math.cos(joint * 0.9) * 20, joint * 0.8];
const fixed = (numbers) => numbers.map((number) => number.toFixed(6)).join(' ');

/** The joints and weights of a vertex; weights have six decimals and add up to 1. */
function weightsOf(vertex, next) {
  const count = INFLUENCES[vertex % INFLUENCES.length];
  const first = Math.floor(next() * JOINTS);
  const weights = [];
  let left = 1_000_000;
  for (let index = 0; index < count; index++) {
    const weight = index === count - 1 ? left : Math.floor((left * (0.3 + next() * 0.4)) / 1);
    weights.push([(first + index) % JOINTS, weight / 1e6]);
    left -= weight;
  }
  return weights;
}

/** A vertex on a wavy tube, so that neighbours are near and normals differ. */
function pointOf(vertex, next) {
  const angle = vertex * 0.13;
  const radius = 30 + 6 * Math.sin(vertex * 0.011) + next();
  return [Math.cos(angle) * radius, Math.sin(angle) * radius, (vertex % 997) * 0.09];
}

/** Text that grows by pieces: one string of a hundred megabytes is slow to build. */
class Text {
  #encoder = new TextEncoder();
  #chunks = [];
  #lines = [];

  line(line) {
    this.#lines.push(line);
    if (this.#lines.length === 8192) this.#flush();
  }

  #flush() {
    if (this.#lines.length > 0) this.#chunks.push(this.#encoder.encode(`${this.#lines.join('\n')}\n`));
    this.#lines = [];
  }

  bytes() {
    this.#flush();
    const bytes = new Uint8Array(this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

/** Two triangles a vertex, with vertices close in number: like a closed surface. */
function trianglesOf(vertices) {
  if (vertices < 3) return 0;
  const row = Math.min(48, vertices - 2);
  return Math.max(0, vertices - row - 1) * 2;
}

function triangle(index, vertices) {
  const row = Math.min(48, vertices - 2);
  const base = index >> 1;
  return index & 1 ? [base + 1, base + row + 1, base + row] : [base, base + 1, base + row];
}

function md5mesh(vertices) {
  const next = random(12345);
  const text = new Text();
  text.line(`MD5Version 10\ncommandline "generated"\n\nnumJoints ${JOINTS}\nnumMeshes 1\n\njoints {`);
  for (let joint = 0; joint < JOINTS; joint++) {
    text.line(`\t"joint${joint}"\t${parentOf(joint)} ( ${fixed(placeOf(joint))} ) ( 0 0 0 )\t\t// `);
  }
  text.line(`}\n\nmesh {\n\tshader "models/generated"\n\n\tnumverts ${vertices}`);
  const weights = [];
  let first = 0;
  for (let vertex = 0; vertex < vertices; vertex++) {
    const point = pointOf(vertex, next);
    const own = weightsOf(vertex, next);
    text.line(`\tvert ${vertex} ( ${fixed([next(), next()])} ) ${first} ${own.length}`);
    for (const [joint, weight] of own) {
      const place = placeOf(joint);
      weights.push(joint, weight, ...point.map((number, axis) => number - place[axis]));
    }
    first += own.length;
  }
  const triangles = trianglesOf(vertices);
  text.line(`\n\tnumtris ${triangles}`);
  for (let index = 0; index < triangles; index++) {
    const [a, b, c] = triangle(index, vertices);
    text.line(`\ttri ${index} ${a} ${c} ${b}`);
  }
  text.line(`\n\tnumweights ${first}`);
  for (let index = 0; index < first; index++) {
    const [joint, weight, x, y, z] = weights.slice(index * 5, index * 5 + 5);
    text.line(`\tweight ${index} ${joint} ${weight.toFixed(6)} ( ${fixed([x, y, z])} )`);
  }
  text.line('}');
  return text.bytes();
}

function md5anim() {
  const frames = 24;
  const text = new Text();
  text.line(`MD5Version 10\ncommandline ""\n\nnumFrames ${frames}\nnumJoints ${JOINTS}\nframeRate 24`);
  text.line(`numAnimatedComponents ${JOINTS * 3}\n\nhierarchy {`);
  for (let joint = 0; joint < JOINTS; joint++) text.line(`\t"joint${joint}"\t${parentOf(joint)} 56 ${joint * 3}\t//`);
  text.line('}\n\nbounds {');
  for (let frame = 0; frame < frames; frame++) text.line('\t( -60 -60 -60 ) ( 60 60 160 )');
  text.line('}\n\nbaseframe {');
  for (let joint = 0; joint < JOINTS; joint++) {
    const parent = parentOf(joint);
    const beside = parent < 0 ? [0, 0, 0] : placeOf(parent);
    text.line(`\t( ${fixed(placeOf(joint).map((number, axis) => number - beside[axis]))} ) ( 0 0 0 )`);
  }
  text.line('}');
  for (let frame = 0; frame < frames; frame++) {
    text.line(`\nframe ${frame} {`);
    const swing = 0.1 * Math.sin((frame / (frames - 1)) * 2 * Math.PI);
    for (let joint = 0; joint < JOINTS; joint++) text.line(`\t ${fixed([swing, swing * 0.5, -swing])}`);
    text.line('}');
  }
  return text.bytes();
}

function smd(vertices) {
  const next = random(54321);
  const text = new Text();
  text.line('version 1\nnodes');
  for (let joint = 0; joint < JOINTS; joint++) text.line(`${joint} "joint${joint}" ${parentOf(joint)}`);
  text.line('end\nskeleton\ntime 0');
  for (let joint = 0; joint < JOINTS; joint++) {
    const parent = parentOf(joint);
    const beside = parent < 0 ? [0, 0, 0] : placeOf(parent);
    text.line(`${joint} ${fixed(placeOf(joint).map((number, axis) => number - beside[axis]))} 0.000000 0.000000 0.000000`);
  }
  text.line('end\ntriangles');
  const corners = [];
  for (let vertex = 0; vertex < vertices; vertex++) {
    const point = pointOf(vertex, next);
    const own = weightsOf(vertex, next);
    const links = own.map(([joint, weight]) => `${joint} ${weight.toFixed(6)}`).join(' ');
    const normal = [point[0], point[1], 0].map((number) => number / Math.hypot(point[0], point[1]));
    corners.push(`${own[0][0]} ${fixed([...point, ...normal, next(), next()])} ${own.length} ${links}`);
  }
  const triangles = trianglesOf(vertices);
  for (let index = 0; index < triangles; index++) {
    text.line('generated.bmp');
    for (const corner of triangle(index, vertices)) text.line(corners[corner]);
  }
  text.line('end');
  return text.bytes();
}

/** Surfaces of at most 999 vertices, the most that Quake III takes. */
function md3(vertices) {
  const surfaces = Math.ceil(vertices / 999);
  const sizes = Array.from({ length: surfaces }, (_, index) => Math.floor(((index + 1) * vertices) / surfaces) - Math.floor((index * vertices) / surfaces));
  const surfaceBytes = (size) => 108 + trianglesOf(size) * 12 + 68 + size * 8 + size * 8 * MD3_FRAMES;
  const total = 108 + MD3_FRAMES * 56 + sizes.reduce((sum, size) => sum + surfaceBytes(size), 0);
  const view = new DataView(new ArrayBuffer(total));
  const bytes = new Uint8Array(view.buffer);
  const name = (at, text) => bytes.set(new TextEncoder().encode(text), at);
  const ints = (at, numbers) => numbers.forEach((number, index) => view.setInt32(at + index * 4, number, true));
  name(0, 'IDP3');
  ints(4, [15]);
  name(8, 'generated.md3');
  ints(72, [0, MD3_FRAMES, 0, sizes.length, 0, 108, 108 + MD3_FRAMES * 56, 108 + MD3_FRAMES * 56, total]);
  for (let frame = 0; frame < MD3_FRAMES; frame++) {
    const at = 108 + frame * 56;
    [-64, -64, -8, 64, 64, 100, 0, 0, 0, 128].forEach((number, index) => view.setFloat32(at + index * 4, number, true));
    name(at + 40, `frame${frame}`);
  }
  const next = random(777);
  let start = 108 + MD3_FRAMES * 56;
  sizes.forEach((size, surface) => {
    const triangles = trianglesOf(size);
    const [triangleAt, shaderAt] = [108, 108 + triangles * 12];
    const stAt = shaderAt + 68;
    const vertexAt = stAt + size * 8;
    name(start, 'IDP3');
    name(start + 4, `surface${surface}`);
    ints(start + 72, [MD3_FRAMES, 1, size, triangles, triangleAt, shaderAt, stAt, vertexAt, surfaceBytes(size)]);
    for (let index = 0; index < triangles; index++) {
      const [a, b, c] = triangle(index, size);
      ints(start + triangleAt + index * 12, [a, c, b]);
    }
    name(start + shaderAt, 'models/generated');
    for (let vertex = 0; vertex < size; vertex++) {
      view.setFloat32(start + stAt + vertex * 8, next(), true);
      view.setFloat32(start + stAt + vertex * 8 + 4, next(), true);
    }
    for (let frame = 0; frame < MD3_FRAMES; frame++) {
      for (let vertex = 0; vertex < size; vertex++) {
        const at = start + vertexAt + (frame * size + vertex) * 8;
        pointOf(vertex + frame * 3, next).forEach((number, axis) => view.setInt16(at + axis * 2, number * 64, true));
        view.setUint16(at + 6, (next() * 65536) & 65535, true);
      }
    }
    start += surfaceBytes(size);
  });
  return bytes;
}
