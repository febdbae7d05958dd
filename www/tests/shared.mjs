// In: nothing but the built package. Out: the package started in Node, and the real files beside the repository, where there are any.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as rigview from '../pkg/rigview.js';

const here = dirname(fileURLToPath(import.meta.url));
rigview.initSync({ module: readFileSync(join(here, '../pkg/rigview_bg.wasm')) });

export { rigview };

/** The folder with real models, or null: tests that need it skip and say so. */
export const shared = [join(here, '../../../shared')].find((folder) => existsSync(join(folder, 'expected'))) ?? null;

/** A test option that skips where the real models are not there. */
export const needsShared = { skip: shared ? false : 'no ../shared beside the repository' };

/** Files read from disk, each under its own name. */
export function filesOf(paths, nameOf = basename) {
  const files = new rigview.Files();
  for (const path of paths) files.add(nameOf(path), readFileSync(path));
  return files;
}
