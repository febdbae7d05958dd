// In: positions that an independent reference gives for real files. Out: whether the built wasm gives the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { filesOf, needsShared, rigview, shared } from './shared.mjs';

const cases = shared ? JSON.parse(readFileSync(join(shared, 'expected/poses.json'), 'utf8')) : [];

test('there are reference poses', needsShared, () => assert.ok(cases.length > 0));

for (const expected of cases) {
  test(`${expected.id}: ${expected.tries}`, () => {
    const files = filesOf(expected.files.map((file) => join(shared, 'models', file.path)));
    const model = rigview.Model.open(files);
    pose(model, expected);
    for (const [index, mesh] of expected.counts.meshes.entries()) {
      assert.equal(model.meshes[index].triangles, mesh.triangles ?? model.meshes[index].triangles);
      if (expected.kind !== 'smd') assert.equal(model.meshes[index].vertices, mesh.vertices);
    }
    const near = (what, got, want) => {
      const distance = Math.hypot(...want.map((value, axis) => value - got[axis]));
      assert.ok(distance <= expected.tolerance, `${what}: ${got} is ${distance} from ${want}`);
    };
    const positions = model.meshes.map((_, index) => triples(model.positions(index)));
    for (const { mesh, vertex, position } of expected.vertices) {
      const what = `mesh ${mesh}, vertex ${vertex}`;
      // The reference counts three vertices a triangle in an .smd; here equal ones are shared.
      near(what, expected.kind === 'smd' ? nearest(positions[mesh], position) : positions[mesh][vertex], position);
    }
    const joints = model.jointMatrices();
    for (const { joint, name, model_from_joint } of expected.joints ?? []) {
      const index = expected.kind === 'smd' ? model.joints.findIndex((candidate) => candidate.name === name) : joint;
      assert.equal(model.joints[index].name, name);
      const columns = joints.subarray(index * 16, index * 16 + 16);
      for (let column = 0; column < 4; column++) {
        const want = model_from_joint.map((row) => row[column]);
        near(`joint ${name}, column ${column}`, columns.subarray(column * 4, column * 4 + 3), want);
      }
    }
    const tags = model.tagMatrices();
    for (const { name, origin, axis } of expected.tags ?? []) {
      const index = model.tags.findIndex((candidate) => candidate === name || candidate.endsWith(`/${name}`));
      assert.ok(index >= 0, `no tag ${name} among ${model.tags}`);
      [...axis, origin].forEach((want, column) => {
        near(`tag ${name}, column ${column}`, tags.subarray(index * 16 + column * 4, index * 16 + column * 4 + 3), want);
      });
    }
    model.free();
    files.free();
  });
}

function pose(model, expected) {
  if (expected.kind === 'player') {
    const part = (clip) => ({ clip, seconds: expected.time });
    model.poseParts({ lower: part(expected.legs), upper: part(expected.torso) });
  } else if (expected.clip) {
    model.pose(expected.clip, expected.time);
  } else if (model.clips.length > 0) {
    model.pose(model.clips[0].name, expected.time);
  }
}

function triples(values) {
  return Array.from({ length: values.length / 3 }, (_, index) => values.subarray(index * 3, index * 3 + 3));
}

function nearest(candidates, position) {
  const distance = (candidate) => Math.hypot(...position.map((value, axis) => value - candidate[axis]));
  return candidates.reduce((best, candidate) => (distance(candidate) < distance(best) ? candidate : best));
}
