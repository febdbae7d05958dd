// In: the built wasm files. Out: whether one of them tells where the machine that built it keeps its files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');

for (const folder of ['pkg', 'pkg-embed']) {
  const path = join(root, 'www', folder, 'rigview_bg.wasm');
  test(`www/${folder} names no folder of this machine`, { skip: !existsSync(path) && 'not built' }, () => {
    const text = readFileSync(path, 'latin1');
    for (const place of [root, cargoHome, join(homedir(), '.rustup')]) {
      const at = text.indexOf(place);
      assert.equal(at, -1, `${place}: ${text.slice(at, at + 120)}`);
    }
  });
}
