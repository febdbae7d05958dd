// In: cameras of Doom 3. Out: `cameraAt` stands, looks and cuts as the game's own sums say, worked out here in double precision.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { rigview } from './shared.mjs';

const sample = readFileSync(join(import.meta.dirname, '../public/samples/bramble/models/md5/bramble/around.md5camera'), 'utf8');

/** The numbers of a file. */
function parse(text) {
  const number = (key) => Number(text.match(new RegExp(`${key}\\s+(\\d+)`))[1]);
  const cuts = text.match(/cuts\s*\{([^}]*)\}/)[1].trim().split(/\s+/).filter(Boolean).map(Number);
  const rows = [...text.slice(text.indexOf('camera {')).matchAll(/\(([^)]*)\)\s*\(([^)]*)\)\s*(\S+)/g)];
  const three = (word) => word.trim().split(/\s+/).map(Number);
  return { rate: number('frameRate'), cuts, frames: rows.map(([, place, turn, fov]) => ({ position: three(place), turn: three(turn), fovX: Number(fov) })) };
}

/** Forward, left and up of a stored quaternion (idQuat::ToMat3, idCQuat::CalcW). */
function axes([x, y, z]) {
  const w = Math.sqrt(Math.abs(1 - x * x - y * y - z * z));
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

function camera(text) {
  const files = new rigview.Files();
  files.add('a.md5camera', Buffer.from(text));
  return rigview.Model.open(files);
}

function near(found, expected, what, by = 1e-5) {
  const scale = Math.max(1, ...expected.map(Math.abs));
  found.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) <= by * scale, `${what}: ${found} for ${expected}`));
}

function shows(model, seconds, frame, shot, what) {
  const view = model.cameraAt(0, seconds);
  near(view.position, frame.position, `${what}, place`);
  near(view.axes, axes(frame.turn), `${what}, axes`);
  near([view.fovX], [frame.fovX], `${what}, field of view`);
  assert.equal(view.shot, shot, what);
}

test('the sample camera stands on its frames, and jumps at its cuts', () => {
  const { rate, cuts, frames } = parse(sample);
  const model = camera(sample);
  const [about] = model.cameras;
  assert.deepEqual([about.name, about.frames, about.rate, [...about.cuts], about.source], ['a', frames.length, rate, cuts, 'a.md5camera']);
  assert.ok(Math.abs(about.duration - (frames.length - 1 - cuts.length) / rate) < 1e-6);
  let step = 0;
  frames.forEach((frame, index) => {
    // The last frame of a shot is only come near to: at its time the next shot has begun.
    if (cuts.includes(index)) {
      const before = model.cameraAt(0, (step - 1e-3) / rate);
      near(before.position, frame.position, `before the cut at ${index}`, 1e-2);
      assert.equal(before.shot, cuts.indexOf(index));
      return;
    }
    shows(model, step / rate, frame, cuts.filter((cut) => cut < index).length, `frame ${index}`);
    step++;
  });
  shows(model, 1e6, frames.at(-1), cuts.length, 'after the end');
  shows(model, -1, frames[0], 0, 'before the start');
  assert.throws(() => model.cameraAt(1, 0), /no camera 1/);
});

test('of two cuts in a row the shot between them lasts no time', () => {
  const rows = Array.from({ length: 6 }, (_, index) => `( ${index * 100} 0 ${index} ) ( 0 0 ${index / 10} ) ${90 - index}`);
  const text = (cuts) => `MD5Version 10\ncommandline ""\nnumFrames 6\nframeRate 24\nnumCuts ${cuts.length}\ncuts {\n${cuts.join('\n')}\n}\ncamera {\n${rows.join('\n')}\n}\n`;
  const { frames } = parse(text([2, 3]));
  const model = camera(text([2, 3]));
  shows(model, 1 / 24, frames[1], 0, 'frame 1');
  shows(model, 2 / 24, frames[4], 2, 'behind both cuts');
  shows(model, 3 / 24, frames[5], 2, 'the end');
  for (const cuts of [[0], [6], [2, 6], [1, 2, 3, 4, 5, 5, 5]]) assert.throws(() => camera(text(cuts)), /cut/, String(cuts));
});
