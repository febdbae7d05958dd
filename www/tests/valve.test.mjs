// In: cases with known outcomes and real .smd, .vta and .qc files. Out: whether the built package gives what Valve's compilers give.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';

import { needsShared, rigview, shared } from './shared.mjs';

/** The files below a folder, by their paths in it. */
function filesBelow(folder) {
  const files = new rigview.Files();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (statSync(path).isFile() && name !== 'expected.txt') files.add(relative(folder, path), readFileSync(path));
  }
  return files;
}

function caseFiles(id) {
  const folder = join(shared, 'cases');
  return filesBelow(join(folder, readdirSync(folder).find((name) => name.startsWith(`${id}-`))));
}

const open = (files, path) => rigview.Model.open(files, path);
const findings = (model) => model.report.toJSON().diagnostics;

function near(got, want, what = '') {
  assert.equal(got.length, want.length, what);
  const distance = Math.hypot(...want.map((value, axis) => value - got[axis]));
  assert.ok(distance < 1e-3, `${what}: ${[...got]} is not ${want}`);
}

/** A vertex of the first mesh as posed. */
const vertex = (model, index) => model.positions(0).subarray(index * 3, index * 3 + 3);
/** Where a joint stands. */
function joint(model, name) {
  const index = model.joints.findIndex((candidate) => candidate.name === name);
  assert.ok(index >= 0, `no joint ${name}`);
  return model.jointMatrices().subarray(index * 16 + 12, index * 16 + 15);
}
/** What stands at a place in the bind pose, by vertex. */
const standing = (model, place) => [...Array(model.meshes[0].vertices).keys()].filter((index) => Math.hypot(...place.map((value, axis) => value - vertex(model, index)[axis])) < 1e-3);

test('E35: `end` with carriage returns, blanks or nothing behind it', needsShared, () => {
  const files = caseFiles('E35');
  for (const path of ['blank-and-comments.smd', 'crlf.smd', 'trailing-spaces.smd']) {
    const model = open(files, path);
    assert.deepEqual(model.joints, [{ name: 'root', parent: -1 }]);
    assert.deepEqual(model.meshes.map(({ material, triangles, vertices }) => [material, triangles, vertices]), [['skin.bmp', 1, 3]]);
    [[0, 0, 0], [4, 0, 0], [0, 4, 0]].forEach((want, index) => near(vertex(model, index), want, path));
    assert.ok(findings(model).every(({ place }) => place === 'material `skin.bmp`'), 'nothing but the image is missed');
  }
});

test('E37: a material is the whole line, and its image is found by name', needsShared, () => {
  const model = open(caseFiles('E37'), 'names.smd');
  assert.deepEqual(model.materials.map(({ name }) => name), ['SKIN.BMP', 'skin', 'textures\\skin.tga', 'my body skin.bmp']);
  assert.deepEqual(model.materials.map(({ images }) => images[0].path), ['skin.bmp', 'skin.bmp', 'skin.bmp', undefined]);
  assert.equal(model.meshes.reduce((sum, { triangles }) => sum + triangles, 0), 4);
  assert.ok(findings(model).some(({ message }) => message.includes('my body skin.bmp')));
});

test('E38: bad node numbers are told with their lines', needsShared, () => {
  const files = caseFiles('E38');
  for (const [path, line, word] of [['negative.smd', 3, '-1'], ['huge.smd', 4, '4000000000'], ['vertex-bone.smd', 11, '7'], ['no-parent.smd', 3, '5'], ['cycle.smd', 4, '']]) {
    assert.throws(() => open(files, path), ({ message }) => {
      assert.ok(message.startsWith(`${path}:${line}:`) && message.includes(word), message);
      return true;
    });
  }
  const model = open(files, 'sparse-unordered.smd');
  assert.deepEqual(model.joints, [{ name: 'root', parent: -1 }, { name: 'child', parent: 0 }]);
  near(joint(model, 'child'), [0, 0, 3]);
  assert.equal(model.meshes[0].triangles, 1);
});

test('E40: a sequence is shifted, turned and scaled; a raw file is not', needsShared, () => {
  const files = caseFiles('E40');
  const raw = open(files, 'prop_ref.smd');
  for (const [frame, want] of [[0, [1, 0, 0]], [1, [3, 0, 0]]]) {
    raw.pose('prop_idle', frame / 30, false);
    near(joint(raw, 'root'), want);
  }
  const placed = open(files);
  assert.equal(placed.path, 'prop.qc');
  const { rate, loops } = placed.clips.find(({ name }) => name === 'idle');
  assert.deepEqual([rate, loops], [12, true]);
  for (const [clip, frame, want] of [['idle', 0, [2, 0, -2]], ['idle', 1, [6, 0, -2]], ['spun', 0, [0, 2, -2]], ['spun', 1, [0, 6, -2]]]) {
    placed.pose(clip, frame / 12, false);
    near(joint(placed, 'root'), want, clip);
  }
});

test('E41: angles turn about x, then y, then z, and frames are blended as rotations', needsShared, () => {
  const model = open(caseFiles('E41'), 'ref.smd');
  model.pose('order', 0);
  [[0, 1, 0], [0, 0, 1], [1, 0, 0]].forEach((want, index) => near(vertex(model, index), want));
  model.pose('order', 1 / 30, false);
  [[-0.2252, 0.6593, 0.7174], [-0.8355, -0.5095, 0.2059], [0.5012, -0.553, 0.6656]].forEach((want, index) => near(vertex(model, index), want));
  model.pose('wrap', 0.5 / 30);
  near(vertex(model, 0), [-1, 0, 0]);
  model.pose('gimbal', 0.5 / 30);
  near(vertex(model, 0), [0, 0, -1]);
});

test('E43: times start anywhere, and a bone that is left out holds', needsShared, () => {
  const files = caseFiles('E43');
  const late = open(files, 'late.smd');
  assert.equal(late.clips[0].frames, 3);
  near(joint(late, 'root'), [1, 0, 0]);
  late.pose('late', 2 / 30, false);
  near(joint(late, 'root'), [3, 0, 0]);
  const script = open(files, 'late.qc');
  assert.deepEqual(script.clips.map(({ name, frames, duration }) => [name, frames, duration.toFixed(3)]), [['all', 3, '0.200'], ['sub', 2, '0.100']]);
  script.pose('sub', 0);
  near(joint(script, 'root'), [0, 2, 0]);
  const sparse = open(files, 'sparse.smd');
  for (const [frame, root, arm] of [[1, [1, 0, 0], [0, 0, 5]], [2, [1, 0, 0], [0, 0, 9]]]) {
    sparse.pose('sparse', frame / 30, false);
    near(joint(sparse, 'root'), root);
    // The arm is written beside its parent.
    near(joint(sparse, 'arm'), arm.map((value, axis) => value + root[axis]));
  }
  assert.ok(findings(sparse).some(({ engine }) => engine?.includes('leaves zeros')));
});

test('E44: shapes move what stands where they stood', needsShared, () => {
  const files = caseFiles('E44');
  const model = open(files);
  assert.deepEqual(model.flexes, ['smile', 'frown']);
  const [smiling, frowning] = [standing(model, [0, 0, 1]), standing(model, [0, 4, 1])];
  assert.ok(smiling.length > 0 && frowning.length > 0);
  const rest = [...model.positions(0)];
  const expect = (moves) => {
    for (let index = 0; index < model.meshes[0].vertices; index++) near(vertex(model, index), moves.get(index) ?? rest.slice(index * 3, index * 3 + 3), `vertex ${index}`);
  };
  const all = (list, place) => list.map((index) => [index, place]);
  model.setFlex('smile', 0.5);
  expect(new Map(all(smiling, [0, 0, 1.5])));
  model.setFlex('smile', 1);
  expect(new Map(all(smiling, [0, 0, 2])));
  model.setFlex('frown', 1);
  expect(new Map([...all(smiling, [0, 0, 2]), ...all(frowning, [0, 4, -1])]));
  model.setFlex('smile', 0);
  expect(new Map(all(frowning, [0, 4, -1])));

  const alone = new rigview.Files();
  alone.add('face.vta', files.read('face.vta'));
  assert.throws(() => open(alone), ({ message }) => message.includes('reference mesh'));
});

test('E46: bones are matched by name', needsShared, () => {
  const model = open(caseFiles('E46'), 'ref.smd');
  model.pose('kick', 0);
  const corners = model.triangles(0);
  [[2, 5, 0], [-2, 0, 0], [0, 0, 10]].forEach((want, corner) => near(vertex(model, corners[corner]), want));
});

test('E47: a texture group makes skins; coordinates are parts of whichever image is worn', needsShared, () => {
  const model = open(caseFiles('E47'));
  assert.equal(model.variants.length, 2);
  const worn = () => model.materials.find(({ name }) => name === model.meshes[0].material).images[0].path;
  const uvs = [...model.uvs(0)];
  assert.equal(worn(), 'crate_a.bmp');
  model.setVariant(model.variants[1]);
  assert.equal(worn(), 'crate_b.bmp');
  assert.deepEqual([...model.uvs(0)], uvs);
  for (const [name, color] of [['crate_a.bmp', [200, 60, 60, 255]], ['crate_b.bmp', [60, 60, 200, 255]]]) {
    assert.deepEqual([...rigview.decodeImage(name, caseFiles('E47').read(name)).rgba.subarray(0, 4)], color);
  }
});

test('E59: chrome is found by its name and has its image', needsShared, () => {
  const model = open(caseFiles('E59'));
  assert.deepEqual(model.materials.map(({ name, images }) => [name, images[0].path]), [['Gun_Chrome1.BMP', 'gun_chrome1.bmp'], ['gun.bmp', 'gun.bmp']]);
});

test('every real file is shown', needsShared, () => {
  const files = filesBelow(join(shared, 'models/smd'));
  let shown = 0;
  for (const path of files.paths.filter((path) => path.endsWith('.smd'))) {
    const model = open(files, path);
    const errors = findings(model).filter(({ severity }) => severity === 'error');
    assert.deepEqual(errors, [], path);
    for (const mesh of model.meshes.keys()) assert.ok(model.positions(mesh).every(Number.isFinite), path);
    shown++;
  }
  assert.ok(shown >= 15, `${shown} files`);
  const bat = open(files, 'kbat/bate.qc');
  assert.deepEqual(bat.clips.map(({ name, rate }) => [name, rate]), [['idle', 24], ['attack', 24]]);
});

/** Root at the origin, arm ten above it and turned a quarter about z. */
const ARM = `version 1
nodes
0 "root" -1
1 "arm" 0
end
skeleton
time 0
0 0 0 0 0 0 0
1 0 0 10 0 0 1.570796
end
`;
const TRIANGLE = `triangles
skin.bmp
1 0 0 10 0 0 1 0 0.25 2 1 0.75 0 0.25
1 4 0 10 0 0 1 1 0 2 1 0.75 0 0.25
0 0 4 0 0 0 1 0 1
end
`;

function filesOfText(texts) {
  const files = new rigview.Files();
  for (const [path, text] of Object.entries(texts)) files.add(path, Buffer.from(text));
  return files;
}

test('a linked vertex rests where the file puts it and follows its joints by their weights', () => {
  const lift = ARM.replace('1 0 0 10 0 0 1.570796', '1 0 0 18 0 0 1.570796');
  const model = open(filesOfText({ 'arm.smd': ARM + TRIANGLE, 'lift.smd': lift }), 'arm.smd');
  near(vertex(model, 0), [0, 0, 10]);
  near(model.uvs(0).subarray(0, 2), [0, 0.75]);
  near(model.normals(0).subarray(0, 3), [0, 0, 1]);
  model.pose('lift', 0);
  near(vertex(model, 0), [0, 0, 16]);
  near(vertex(model, 2), [0, 4, 0]);
});

test('a clip that shares no bone is refused with the names', () => {
  const other = 'version 1\nnodes\n0 "tail" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\n';
  const model = open(filesOfText({ 'arm.smd': ARM + TRIANGLE, 'wag.smd': other }), 'arm.smd');
  assert.deepEqual(model.clips, []);
  const error = findings(model).find(({ severity }) => severity === 'error');
  assert.match(error.message, /wag\.smd: expected joints of the model \(`root`, `arm`\), found `tail`/);
});

test('files that a script misses are named, with every path that was tried', () => {
  const script = '$cd "C:\\mod\\src"\n$include "bones.qci"\n$body body arm\n$sequence idle "anims/idle"\n$unheard 1\n$UNHEARD 2\n';
  const model = open(filesOfText({ 'man/man.qc': script, 'man/arm.smd': ARM + TRIANGLE }));
  const said = findings(model).map(({ message }) => message).join('\n');
  assert.match(said, /man\.qc:2:10: \$include: expected the file `bones\.qci`, found no file `bones\.qci`, `bones\.qc`/);
  assert.match(said, /man\.qc:4:16: expected `anims\/idle`, found no file `c:\/mod\/src\/anims\/idle\.smd`, `mod\/src\/anims\/idle\.smd`, `src\/anims\/idle\.smd`, `anims\/idle\.smd`, `idle\.smd`/);
  assert.match(said, /man\.qc:5:1: .*found `\$unheard`\n {2}Not used by the viewer/);
});
