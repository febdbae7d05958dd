// In: the sample player of the repository. Out: whether one drop makes him whole, and dresses and moves him as the game does.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { rigview } from './shared.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../public/samples/fathom');

/** The player as if his folder was dropped. */
function fathom() {
  const files = new rigview.Files();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files.add(relative(folder, path), readFileSync(path));
  }
  return rigview.Model.open(files);
}

/** Positions of every mesh of a part, one after the other. */
function positionsOf(model, part) {
  return model.meshes.flatMap((mesh, index) => (mesh.part === part ? [...model.positions(index)] : []));
}

/** How far the points of a part moved at most. */
function moved(before, after) {
  assert.equal(before.length, after.length);
  return before.reduce((most, number, index) => Math.max(most, Math.abs(number - after[index])), 0);
}

const originOf = (model, tag) => [...model.tagMatrices().subarray(model.tags.indexOf(tag) * 16 + 12).subarray(0, 3)];

test('one drop makes a player of all his parts, with a weapon in his hand', () => {
  const model = fathom();
  assert.equal(model.format, 'Quake III player');
  assert.deepEqual([...new Set(model.meshes.map((mesh) => mesh.part))], ['lower', 'upper', 'head', 'weapon', 'barrel', 'flash']);
  assert.ok(['lower/tag_torso', 'upper/tag_head', 'upper/tag_weapon', 'weapon/tag_flash'].every((tag) => model.tags.includes(tag)));
  const [legs, torso, head] = ['lower', 'upper', 'head'].map((part) => {
    const heights = positionsOf(model, part).filter((_, index) => index % 3 === 2);
    return heights.reduce((sum, height) => sum + height, 0) / heights.length;
  });
  assert.ok(legs < torso && torso < head, `${legs} ${torso} ${head}`);
  assert.deepEqual(model.report.toJSON().diagnostics, []);
  model.free();
});

test('his clips are those of animation.cfg', () => {
  const model = fathom();
  const clips = Object.fromEntries(model.clips.map((clip) => [clip.name, clip]));
  assert.equal(model.clips.length, 33);
  for (const name of ['BOTH_DEATH1', 'TORSO_STAND', 'LEGS_IDLE', 'TORSO_NEGATIVE', 'LEGS_BACKWALK']) assert.ok(clips[name], name);
  assert.ok(clips.LEGS_RUN.loops && !clips.BOTH_DEATH1.loops);
  assert.match(clips.LEGS_RUN.source, /animation\.cfg$/);
  assert.throws(() => model.pose('LEGS_FLY', 0), /LEGS_FLY/);
  model.free();
});

test('legs and torso move apart, and what hangs on them follows', () => {
  const model = fathom();
  const still = (clip) => ({ clip, seconds: 0 });
  model.poseParts({ lower: still('LEGS_IDLE'), upper: still('TORSO_STAND') });
  const at = () => ({ lower: positionsOf(model, 'lower'), upper: positionsOf(model, 'upper'), hand: originOf(model, 'upper/tag_weapon') });
  const before = at();
  model.poseParts({ upper: { clip: 'TORSO_ATTACK', seconds: 0.2 } });
  const attack = at();
  assert.equal(moved(before.lower, attack.lower), 0);
  assert.ok(moved(before.upper, attack.upper) > 0.1);
  model.pose('LEGS_RUN', 0.2);
  const run = at();
  assert.ok(moved(attack.lower, run.lower) > 0.1);
  assert.ok(moved(attack.hand, run.hand) > 0.01, 'the hand rides on the legs');
  model.pose('BOTH_DEATH1', 1e6);
  const dead = at();
  assert.ok(moved(run.lower, dead.lower) > 1 && moved(run.upper, dead.upper) > 1);
  model.free();
});

test('a skin dresses every part', () => {
  const model = fathom();
  assert.deepEqual(model.variants, ['default', 'red', 'blue']);
  const worn = () => model.meshes.filter((mesh) => ['lower', 'upper'].includes(mesh.part)).map((mesh) => mesh.material);
  const plain = worn();
  model.setVariant('red');
  assert.ok(worn().every((material) => /red/.test(material)), worn().join());
  model.setVariant('default');
  assert.deepEqual(worn(), plain);
  model.free();
});
