// In: lines as the four runners print them. Out: their sum.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Counts } from '../scripts/counts.mjs';

test("adds up every runner's summary and nothing else", () => {
  const counts = new Counts();
  const output = [
    'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.31s',
    'test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 filtered out; finished in 0.09s',
    '# pass 5',
    'ℹ pass 7',
    'ℹ fail 2',
    '\x1b[32m  30 passed\x1b[39m\x1b[2m (2.7s)\x1b[22m',
    '  4 failed',
    '    ok 3 passed the gate',
    'test says_3_failed ... ok',
  ];
  for (const line of output) counts.line(line);
  assert.equal(counts.toString(), '56 passed, 7 failed');
});
