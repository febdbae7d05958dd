// In: the committed samples. Out: whether they are what their script makes, and whether each opens without a word of complaint.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { rigview } from './shared.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, '../public/samples');
const samples = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));

function open({ files: paths, open: main }) {
  const files = new rigview.Files();
  for (const path of paths) files.add(path, readFileSync(join(folder, path)));
  return rigview.Model.open(files, main);
}
const sample = (id) => open(samples.find((entry) => entry.id === id));

/** The most that any point moves between two moments of a clip. */
function moved(model, clip, from, to) {
  const at = (seconds) => {
    model.pose(clip, seconds);
    return model.meshes.flatMap((_, mesh) => [...model.positions(mesh)]);
  };
  const [a, b] = [at(from), at(to)];
  return a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
}

test('the committed samples are what the script makes', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(here, '../scripts/samples/make.mjs'), '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

for (const entry of samples) {
  test(`${entry.title} opens clean, and every picture is found`, () => {
    const model = open(entry);
    assert.deepEqual(model.report.toJSON().diagnostics, []);
    assert.ok(model.clips.some(({ name }) => name === entry.clip), `a clip called ${entry.clip}`);
    for (const material of model.materials) {
      assert.ok(material.images.length > 0, material.name);
      for (const image of material.images) assert.ok(image.path, `${material.name}: ${image.slot}, tried ${image.tried}`);
    }
    assert.ok(existsSync(join(folder, entry.id, 'poster.webp')));
  });
}

test('Bramble is a creature of many joints, with points on more than four of them', () => {
  const model = sample('bramble');
  assert.ok(model.joints.length >= 25);
  assert.ok(model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0) >= 1500);
  assert.deepEqual(model.clips.map(({ name }) => name).sort(), ['idle', 'roar', 'walk']);
  assert.equal(model.cameras[0].cuts.length, 2);
  const text = readFileSync(join(folder, samples.find(({ id }) => id === 'bramble').open), 'utf8');
  const counts = [...text.matchAll(/^\s*vert \d+ \( \S+ \S+ \) \d+ (\d+)$/gm)].map((match) => Number(match[1]));
  assert.ok(counts.filter((count) => count > 4).length >= 50);
});

test('clips come back to where they began, and feet stand on the ground', () => {
  for (const [id, clips, floor] of [['bramble', ['idle', 'walk', 'roar'], 0], ['tock', ['idle', 'walk', 'greet'], 0], ['fathom', ['LEGS_IDLE', 'LEGS_WALK', 'LEGS_RUN'], -24]]) {
    const model = sample(id);
    for (const name of clips) {
      const { duration } = model.clips.find((clip) => clip.name === name);
      assert.ok(moved(model, name, 0, duration / 3) > 0.1, `${id} ${name} moves`);
      if (id !== 'fathom') assert.ok(moved(model, name, 0, duration - 1e-4) < 0.02, `${id} ${name} loops`);
      let low = Infinity;
      for (let k = 0; k < 12; k++) {
        model.pose(name, (duration * k) / 12);
        low = Math.min(low, model.bounds[2]);
      }
      assert.ok(Math.abs(low - floor) < 0.6, `${id} ${name} stands at ${low}`);
    }
  }
});

test('Murmur shows each of his faces', () => {
  const model = sample('murmur');
  assert.ok(model.flexes.length >= 4);
  model.pose(null, 0);
  const rest = model.positions(0);
  for (const flex of model.flexes) {
    model.setFlex(flex, 1);
    assert.ok(model.positions(0).some((x, i) => Math.abs(x - rest[i]) > 0.5), flex);
    model.setFlex(flex, 0);
  }
});
