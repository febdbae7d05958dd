// In: a model's files, some of them missing. Out: what is missed is told, and a second model of the same files moves by itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { rigview } from './shared.mjs';

const folder = new URL('../public/samples/bramble/models/md5/bramble/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));

test('another model of the same files has a pose of its own, and outlives the first', () => {
  const files = new rigview.Files();
  for (const name of ['bramble.md5mesh', 'walk.md5anim']) files.add(`models/md5/bramble/${name}`, read(name));
  const first = rigview.Model.open(files);
  const second = first.another();
  assert.deepEqual([second.name, second.format, second.path], [first.name, first.format, first.path]);
  const rest = first.positions(0);
  assert.deepEqual(second.positions(0), rest);
  second.pose('walk', 0.4);
  assert.notDeepEqual(second.positions(0), rest);
  assert.deepEqual(first.positions(0), rest);
  first.pose('walk', 0.4);
  const walked = first.positions(0);
  first.free();
  assert.deepEqual(second.positions(0), walked);
  second.free();
  files.free();
});

test('what a model names and cannot find is told until a file comes', () => {
  const files = new rigview.Files();
  files.add('models/md5/bramble/bramble.md5mesh', read('bramble.md5mesh'));
  rigview.Model.open(files).free();
  const missed = files.missed.map(([likeliest]) => likeliest);
  assert.ok(missed.includes('models/md5/bramble/bramble.tga'), missed.join('\n'));
  files.add('models/md5/bramble/bramble.tga', read('bramble.tga'));
  assert.deepEqual(files.missed, []);
  rigview.Model.open(files).free();
  assert.ok(!files.missed.some(([likeliest]) => likeliest === 'models/md5/bramble/bramble.tga'));
});

test('what is no string is refused, and the model goes on', () => {
  const files = new rigview.Files();
  files.add('bramble.md5mesh', read('bramble.md5mesh'));
  files.add('walk.md5anim', read('walk.md5anim'));
  assert.throws(() => rigview.Model.open(files, 5), { name: 'TypeError', message: 'expected a string, found a number' });
  const model = rigview.Model.open(files);
  assert.throws(() => model.pose(5, 0), { name: 'TypeError' });
  model.pose('walk', 0.2);
  model.free();
});
