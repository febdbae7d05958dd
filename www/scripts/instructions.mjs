// In: the native build and valgrind. Out: how many instructions parsing, posing and skinning take, beside those in
// benches/instructions.json; exit code 1 if one grew by more than 5 %. Counts do not depend on how busy the machine is. Without valgrind,
// which is installed where it can be, it says so and passes.
//
//   npm --prefix www run instructions               compare
//   npm --prefix www run instructions -- --store    take these for the new baseline
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generate } from '../bench-inputs.mjs';
import { apt, haveApt } from './apt.mjs';
import { find } from './browsers.mjs';
import { SetupError, main, root, say, show } from './run.mjs';

const LIMIT = 1.05;
const VERTICES = 2000;
const stored = join(root, 'benches', 'instructions.json');
const work = [
  ['parse', 'md5mesh'],
  ['parse', 'smd'],
  ['parse', 'md3'],
  ['skin', 'md5mesh'],
  ['skin', 'smd'],
  ['skin', 'md3'],
  ['pose', 'md5mesh'],
];

await main(async () => {
  if (haveApt) await apt('valgrind', ['valgrind']).catch((error) => say(error.message));
  if (!find(['valgrind'])) {
    say('skipped: no valgrind here, so instructions are not counted (Debian: `apt-get install valgrind`)');
    return;
  }
  await show('building the loops natively', 'cargo', ['build', '--quiet', '--release', '--package', 'rigview-bench', '--bin', 'instructions']);
  const folder = mkdtempSync(join(tmpdir(), 'rigview-instructions-'));
  const counts = {};
  try {
    for (const format of ['md5mesh', 'smd', 'md3']) writeFileSync(join(folder, `model.${format}`), generate(format, VERTICES));
    for (const [what, format] of work) counts[`${what} ${format}`] = count(what, join(folder, `model.${format}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
  compare(counts, process.argv.includes('--store'));
});

/** Instructions inside the function `measured`. */
function count(what, path) {
  const program = join(root, 'target', 'release', 'instructions');
  const valgrind = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--collect-atstart=no', '--toggle-collect=*instructions*measured*'];
  const result = spawnSync('valgrind', [...valgrind, program, what, path], { encoding: 'utf8' });
  const collected = Number(result.stderr?.match(/Collected : (\d+)/)?.[1]);
  if (!(collected > 0)) throw new SetupError(`nothing was counted for ${what} ${path}:\n${result.stderr}`, 'see what valgrind says');
  return collected;
}

function compare(counts, store) {
  const before = existsSync(stored) ? JSON.parse(readFileSync(stored, 'utf8')) : {};
  let grew = false;
  for (const [name, now] of Object.entries(counts)) {
    const ratio = before[name] ? now / before[name] : null;
    const isMore = ratio !== null && ratio > LIMIT;
    grew ||= isMore;
    say(`  ${name.padEnd(16)} ${String(now).padStart(12)} ${ratio === null ? '' : `${((ratio - 1) * 100).toFixed(2)} %`}${isMore ? ' MORE' : ''}`);
  }
  if (store) {
    writeFileSync(stored, `${JSON.stringify(counts, null, 2)}\n`);
    say('benches/instructions.json holds these now');
  } else if (grew) {
    throw new SetupError('more than 5 % more instructions than in benches/instructions.json', 'make it fast again, or store the new counts with `-- --store`');
  }
}
