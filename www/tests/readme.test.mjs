// In: README.md. Out: whether its example for Node runs as it stands and prints what it should.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the example for Node runs', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const example = readme.match(/```js\n([^]*?)```/)[1];
  assert.ok(example.trim().split('\n').length <= 12, 'the example is short');
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], { cwd: root, input: example, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^MD5 \d+ Float32Array\(3\) \[/);
  assert.match(run.stdout, / \d+ findings\n$/);
});
