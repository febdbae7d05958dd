// In: the MD3 cases beside the repository, each with what the games do. Out: whether the built wasm says and poses the same.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { rigview, shared } from './shared.mjs';

const folder = shared && join(shared, 'cases');
if (!folder) console.log('skipped: no ../shared beside the repository');
const skip = { skip: folder ? false : 'no ../shared beside the repository' };

/** Every file of the cases whose names begin so, as one drop. */
function drop(...cases) {
  const files = new rigview.Files();
  for (const start of cases) {
    const name = readdirSync(folder).find((candidate) => candidate.startsWith(`${start}-`));
    for (const file of readdirSync(join(folder, name))) if (file !== 'expected.txt') files.add(file, readFileSync(join(folder, name, file)));
  }
  return files;
}

const opened = (...cases) => rigview.Model.open(drop(...cases));

function near(found, expected, what) {
  const off = expected.map((number, axis) => Math.abs(number - found[axis]));
  assert.ok(off.every((distance) => distance < 1e-3), `${what}: ${[...found]}, expected ${expected}`);
}

const vertex = (model, mesh, index) => model.positions(mesh).subarray(index * 3, index * 3 + 3);
const meshOf = (model, part) => model.meshes.findIndex((mesh) => mesh.part === part);
const said = (model) => model.report.toJSON().diagnostics;

function tag(model, name) {
  const index = model.tags.indexOf(name);
  assert.ok(index >= 0, `no ${name} among ${model.tags}`);
  const matrix = model.tagMatrices().subarray(index * 16, index * 16 + 16);
  return { x: matrix.subarray(0, 3), origin: matrix.subarray(12, 15) };
}

test('E19: axes of tags are the images of x, y and z', skip, () => {
  const model = opened('E19');
  near(vertex(model, meshOf(model, 'upper'), 0), [0, 4, 12], 'upper');
  near(vertex(model, meshOf(model, 'head'), 0), [-2, 1, 15], 'head');
  near(tag(model, 'upper/tag_weapon').origin, [3, 6, 11], 'tag_weapon');
  near(tag(model, 'upper/tag_weapon').x, [0, 1, 0], 'its x axis');
  const legs = meshOf(model, 'lower');
  assert.equal(model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0), 3);
  near(model.normals(legs), [0, 0, 1], 'stored normal');
  // The package turns the file's clockwise triangles: front sides are counter-clockwise.
  const [a, b, c] = [...model.triangles(legs)].map((index) => vertex(model, legs, index));
  const [u, v] = [b, c].map((corner) => corner.map((number, axis) => number - a[axis]));
  assert.ok(u[0] * v[1] - u[1] * v[0] > 0, 'the front faces up');
});

test('E20: a part without the frame shows its frame 0, its tags the last', skip, () => {
  const model = opened('E20');
  model.pose('all frames', 0.3);
  near(tag(model, 'lower/tag_torso').origin.subarray(2), [13], 'torso tag');
  near(vertex(model, meshOf(model, 'upper'), 0), [0, 0, 13], 'upper');
  near(vertex(model, meshOf(model, 'head'), 0), [0, 0, 23], 'head');
});

test('E22: an animation.cfg from before Team Arena', skip, () => {
  const model = opened('E19', 'E22');
  const clips = Object.fromEntries(model.clips.map((clip) => [clip.name, clip]));
  const is = (name, frames, rate, loops, part) => {
    const clip = clips[name];
    assert.deepEqual([clip.frames, clip.rate, clip.loops, clip.part], [frames, rate, loops, part], name);
  };
  is('BOTH_DEATH1', 30, 25, false, 'lower');
  is('TORSO_GESTURE', 40, 20, false, 'upper');
  is('TORSO_STAND2', 1, 15, false, 'upper');
  is('LEGS_WALKCR', 8, 20, true, 'lower');
  is('LEGS_RUN', 11, 21, true, 'lower');
  is('LEGS_IDLE', 10, 15, true, 'lower');
  assert.equal(clips.LEGS_TURN.frames, 7);
  for (const name of ['GETFLAG', 'GUARDBASE', 'PATROL', 'FOLLOWME', 'AFFIRMATIVE', 'NEGATIVE']) is(`TORSO_${name}`, 40, 20, false, 'upper');
  assert.deepEqual([clips.LEGS_BACKCR.frames, clips.LEGS_BACKWALK.frames], [8, 12]);
  assert.deepEqual([model.info.sex, model.info.headoffset, model.info.footsteps], ['female', [1, -2.5, 3], 'mech']);
  const beyond = said(model).find((finding) => finding.file === 'animation.cfg');
  assert.match(beyond.engine, /frame 0/);
});

test('E23: forty surfaces, and keywords in any case', skip, () => {
  const model = opened('E23');
  assert.deepEqual(model.meshes.map((mesh) => mesh.material), Array.from({ length: 40 }, (_, index) => `textures/m${String(index).padStart(2, '0')}.tga`));
  near(vertex(model, 39, 0), [312, 0, 0], 'surface 39');
  assert.deepEqual([model.info.sex, model.info.fixedlegs, model.info.fixedtorso], ['male', true, true]);
  assert.equal(said(model).filter((finding) => finding.found === '`someunknownword`' && finding.severity === 'warning').length, 1);
  assert.ok(model.clips.some((clip) => clip.name === 'TORSO_NEGATIVE'));
});

test('E25: surfaces with an empty shader or none', skip, () => {
  const model = opened('E25');
  assert.deepEqual(model.meshes.map(({ name, triangles, material }) => [name, triangles, material]), [['a', 1, ''], ['b', 1, '']]);
  assert.ok(model.materials.every((material) => material.images.every((image) => image.path === undefined && !image.tried.some((path) => /^\.|\/\.|^$/.test(path)))));
});

test('E26: shaders named in any way are found beside the model', skip, () => {
  const model = opened('E26');
  const paths = model.meshes.map((mesh) => model.materials.find((material) => material.name === mesh.material).images[0].path);
  assert.deepEqual(paths, ['brick.tga', 'moss.tga', 'brick.tga']);
  assert.equal(model.meshes[0].material, 'brick');
  assert.match(model.meshes[1].material, /^[A-Z]:\\/);
});

test('E28: one frame, and too few animations', skip, () => {
  const model = opened('E28');
  assert.equal(model.clips.length, 0);
  model.pose(null, 7);
  near(vertex(model, 0, 0), [0, 0, 1], 'v0');
  assert.match(said(model).find((finding) => finding.file === 'animation.cfg').found, /too few animations/);
});

test('E29: levels of detail are one model', skip, () => {
  const files = drop('E29');
  assert.equal(files.candidates.length, 1);
  const model = rigview.Model.open(files);
  const triangles = () => model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
  const legs = () => model.meshes.find((mesh) => mesh.name === 'l_legs').material;
  assert.deepEqual([model.path, model.lods, model.meshes.length, triangles()], ['lower.md3', 3, 2, 2]);
  const worn = legs();
  assert.notEqual(worn, '');
  assert.ok(said(model).some((finding) => /l_boots/.test(finding.found)));
  const counts = [1, 2].map((level) => {
    model.setLod(level);
    assert.equal(legs(), worn);
    return triangles();
  });
  assert.deepEqual(counts, [2, 1]);
  const alone = new rigview.Files();
  alone.add('lower_1.md3', files.read('lower_1.md3'));
  assert.equal(rigview.Model.open(alone).lods, 1);
});

test('E31: vertices of a seam stay apart', skip, () => {
  const model = opened('E31');
  assert.deepEqual([model.meshes[0].vertices, model.meshes[0].triangles], [6, 2]);
  assert.deepEqual([...model.uvs(0).subarray(4, 8)], [0.5, 0, 0.5, 1]);
  near(vertex(model, 0, 2), [...vertex(model, 0, 3)], 'one place');
  assert.notDeepEqual([...model.normals(0).subarray(6, 9)], [...model.normals(0).subarray(9, 12)]);
});

test('E32: content says what a file is', skip, () => {
  const files = drop('E32');
  for (const name of ['tris.md2', 'tris.mdl', 'tris']) {
    const renamed = new rigview.Files();
    renamed.add(name, files.read('tris.md2'));
    const model = rigview.Model.open(renamed);
    assert.deepEqual([model.format, model.meshes.length, model.meshes[0].triangles], ['MD3', 1, 1], name);
    near(vertex(model, 0, 1), [0, 4, 0], 'v1');
  }
  const md2 = new rigview.Files();
  md2.add('noskin.md2', files.read('noskin.md2'));
  assert.throws(() => rigview.Model.open(md2), /MD2.*version 8/s);
});
