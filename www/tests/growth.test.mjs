// In: made-up models of 5,000 and 100,000 vertices. Out: the large ones take not many times longer a vertex to open.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { generate } from '../bench-inputs.mjs';
import { rigview } from './shared.mjs';

const { Files, Model } = rigview;

/** Least milliseconds a vertex. */
function opening(format, vertices) {
  const bytes = generate(format, vertices);
  const times = [0, 1, 2].map(() => {
    const began = performance.now();
    const files = new Files();
    files.add(`large.${format}`, bytes);
    Model.open(files).free();
    files.free();
    return performance.now() - began;
  });
  return Math.min(...times) / vertices;
}

for (const format of ['md5mesh', 'smd', 'md3']) {
  test(`a large .${format} opens in time that grows with its size`, () => {
    const [small, large] = [opening(format, 5_000), opening(format, 100_000)];
    // What does not fit the processor's caches takes three times as long; a table that is full, hundreds.
    assert.ok(large < 12 * small, `${(large * 1e6).toFixed(0)} ns a vertex, ${(small * 1e6).toFixed(0)} of a small one`);
  });
}
