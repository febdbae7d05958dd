// Makes the sample models of the gallery. `node www/scripts/samples/make.mjs` writes www/public/samples;
// with --check it writes nothing and fails where a committed file differs from what it would write.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bramble } from './bramble/bramble.mjs';
import { fathom } from './fathom/fathom.mjs';
import { murmur } from './murmur/murmur.mjs';
import { tock } from './tock/tock.mjs';

const out = join(dirname(fileURLToPath(import.meta.url)), '../../public/samples');
const check = process.argv.includes('--check');
const samples = [bramble(), fathom(), tock(), murmur()];

const files = [];
const index = [];
for (const { files: own, entry } of samples) {
  const { id, title, format, description, open, clip } = entry;
  index.push({ id, title, format, description, files: own.map((f) => `${id}/${f.path}`), open: `${id}/${open}`, clip });
  for (const { path, data } of own) files.push({ path: `${id}/${path}`, data: Buffer.from(data) });
}
files.push({ path: 'index.json', data: Buffer.from(`${JSON.stringify(index, null, 2)}\n`) });

if (check) {
  const different = files.filter(({ path, data }) => {
    try {
      return !readFileSync(join(out, path)).equals(data);
    } catch {
      return true;
    }
  });
  for (const { path } of different) console.error(`differs: ${path}`);
  if (different.length) {
    console.error('The committed samples are not what the script makes. Run: node www/scripts/samples/make.mjs');
    process.exit(1);
  }
  console.log(`${files.length} sample files are what the script makes.`);
} else {
  // What an older script made goes; the posters beside it are the viewer's own pictures.
  const kept = new Set(files.map(({ path }) => join(out, path)));
  for (const { id } of index.filter((entry) => existsSync(join(out, entry.id)))) {
    for (const name of readdirSync(join(out, id), { recursive: true })) {
      const path = join(out, id, name);
      if (statSync(path).isFile() && !kept.has(path) && basename(path) !== 'poster.webp') rmSync(path);
    }
  }
  for (const { path, data } of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), data);
    console.log(`${path}  ${data.length}`);
  }
}
