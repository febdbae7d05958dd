#!/usr/bin/env node
// In: files and folders of models. Out: what each game would say to them; ends with 1 if theirs refuses.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Files, initSync } from '../pkg/rigview.js';

const USAGE = `rigview check FILES… [--engine ENGINE] [--json]

Would the game load these files, and if not, what would it say?

  FILES     files, folders and archives that belong together
  --engine  doom3, quake3, goldsrc or source; without it every engine that reads such files,
            the one that they are made for first
  --json    print the verdicts as JSON

Ends with 0 if every file loads, with 1 if the engine that one is made for (or --engine) refuses it,
with 2 if nothing could be checked.`;

process.exitCode = main(process.argv.slice(2));

function main(words) {
  // As the package's subcommand it is called by that name.
  if (words[0] === 'check') words = words.slice(1);
  const engineAt = words.indexOf('--engine');
  const engine = engineAt < 0 ? undefined : words[engineAt + 1];
  const paths = words.filter((word, index) => !word.startsWith('--') && (engineAt < 0 || index !== engineAt + 1));
  const unknown = words.find((word) => word.startsWith('--') && !['--engine', '--json', '--help'].includes(word));
  if (words.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  if (paths.length === 0 || unknown || (engineAt >= 0 && !engine)) {
    console.error(unknown ? `no option ${unknown}\n\n${USAGE}` : USAGE);
    return 2;
  }

  const here = dirname(fileURLToPath(import.meta.url));
  initSync({ module: readFileSync(join(here, '../pkg/rigview_bg.wasm')) });
  const files = new Files();
  try {
    for (const path of paths) addAll(files, path);
    const checked = files.checkable.map((path) => ({ path, verdicts: files.check(path, engine) }));
    const judged = checked.filter(({ verdicts }) => verdicts.length > 0);
    if (judged.length === 0) {
      console.error(engine ? `nothing here that ${engine} reads` : 'nothing here that an engine of the check reads');
      return 2;
    }
    console.log(words.includes('--json') ? JSON.stringify(judged, null, 2) : judged.map(text).join('\n'));
    return judged.some(({ verdicts }) => verdicts[0].verdict === 'refused') ? 1 : 0;
  } catch (error) {
    console.error(error.message);
    return 2;
  }
}

/** Adds a file, or all that lie in a folder, by their paths within it. */
function addAll(files, path) {
  if (!statSync(path).isDirectory()) {
    files.add(path.split(sep).join('/'), readFileSync(path));
    return;
  }
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of entries) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    files.add(relative(path, file).split(sep).join('/'), readFileSync(file));
  }
}

/** One path's verdicts, a line for each finding, as compilers print them. */
function text({ path, verdicts }) {
  const lines = [];
  for (const { name, verdict, findings, leftOut } of verdicts) {
    const word = { loads: 'loads', warns: 'loads, but', refused: 'refused' }[verdict];
    lines.push(`${path}: ${name}: ${word}`);
    for (const finding of findings) {
      const at = finding.line ? `:${finding.line}:${finding.column}` : finding.byte === undefined ? '' : `:byte ${finding.byte}`;
      const place = finding.place ? `${finding.place}: ` : '';
      lines.push(`  ${finding.file}${at}: ${finding.severity}: ${place}${finding.message} [${finding.rule}]`);
      if (finding.says) lines.push(`    ${name} says: "${finding.says}"`);
      lines.push(`    ${finding.why}`, `    Mend: ${finding.mend}`);
    }
    if (leftOut > 0) lines.push(`  and ${leftOut} more`);
  }
  return lines.join('\n');
}
