// In: MD5 models. Out: proof that the built wasm puts vertices where Doom 3's sum does, worked out here in double precision.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { generate } from '../bench-inputs.mjs';
import { needsShared, rigview, shared } from './shared.mjs';

/** For each mesh, for each vertex, its weights: joint, bias, point. */
function weightsOf(text) {
  return text.split(/^mesh\b/m).slice(1).map((mesh) => {
    const numbers = (line) => line.replace(/[()]/g, ' ').trim().split(/\s+/).slice(1).map(Number);
    const weights = [...mesh.matchAll(/^\s*weight\b.*/gm)].map(([line]) => numbers(line.trim()));
    const vertices = [...mesh.matchAll(/^\s*vert\b.*/gm)].map(([line]) => numbers(line.trim()));
    return vertices.map(([, , , first, count]) => weights.slice(first, first + count));
  });
}

/** The largest distance from the sum, as a part of the mesh's size. */
function worst(model, meshes) {
  const joints = model.jointMatrices();
  let most = 0;
  meshes.forEach((vertices, mesh) => {
    const found = model.positions(mesh);
    const least = [Infinity, Infinity, Infinity];
    const greatest = [-Infinity, -Infinity, -Infinity];
    let apart = 0;
    vertices.forEach((weights, vertex) => {
      const sum = [0, 0, 0];
      for (const [, joint, bias, ...point] of weights) {
        const at = joint * 16;
        for (let axis = 0; axis < 3; axis++) {
          const turned = point.reduce((total, number, column) => total + joints[at + column * 4 + axis] * number, joints[at + 12 + axis]);
          sum[axis] += bias * turned;
        }
      }
      apart = Math.max(apart, Math.hypot(...sum.map((number, axis) => number - found[vertex * 3 + axis])));
      sum.forEach((number, axis) => {
        least[axis] = Math.min(least[axis], number);
        greatest[axis] = Math.max(greatest[axis], number);
      });
    });
    const size = Math.hypot(...greatest.map((number, axis) => number - least[axis]));
    most = Math.max(most, apart / size);
  });
  return most;
}

function open(files) {
  const bundle = new rigview.Files();
  for (const [name, bytes] of Object.entries(files)) bundle.add(name, bytes);
  return rigview.Model.open(bundle);
}

test('vertices of one to eight weights stand where the sum puts them', () => {
  const bytes = generate('md5mesh', 3000);
  const model = open({ 'a.md5mesh': bytes, 'a.md5anim': generate('md5anim', 0) });
  const meshes = weightsOf(Buffer.from(bytes).toString());
  for (const seconds of [0, 0.11, 0.37, 0.8]) {
    model.pose(model.clips[0].name, seconds);
    const off = worst(model, meshes);
    assert.ok(off < 1e-5, `${off} of the size off at ${seconds} s`);
  }
});

test('real models too', needsShared, () => {
  let poses = 0;
  const folder = join(shared, 'models', 'md5');
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.md5mesh') && !path.includes('invalid'));
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    const files = { 'a.md5mesh': bytes };
    const beside = dirname(join(folder, path));
    for (const name of readdirSync(beside).filter((name) => name.endsWith('.md5anim'))) files[name] = readFileSync(join(beside, name));
    const model = open(files);
    const meshes = weightsOf(bytes.toString('latin1'));
    // A mesh with a fault is left out; the numbers of the others would not match.
    if (meshes.length !== model.meshes.length) continue;
    for (const clip of [null, ...model.clips.map(({ name }) => name)]) {
      model.pose(clip, 0.21);
      const off = worst(model, meshes);
      assert.ok(off < 2.5e-5, `${path}, ${clip}: ${off} of the size off`);
      poses++;
    }
    model.free();
  }
  assert.ok(poses > 20, `${poses} poses`);
});
