// In: `rigview FILE` or `assimpjs FILE FOLDER`, in a fresh process. Out: JSON with the milliseconds from nothing to the model's data,
// and for rigview how large its memory grew, what the file takes and what the model takes.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [who, path, folder] = process.argv.slice(2);
const bytes = readFileSync(path);
const name = basename(path);

if (who === 'rigview') {
  const pkg = fileURLToPath(new URL('../pkg/', import.meta.url));
  const rigview = await import(pathToFileURL(join(pkg, 'rigview.js')).href);
  const module = readFileSync(join(pkg, 'rigview_bg.wasm'));
  const began = performance.now();
  const { memory } = rigview.initSync({ module });
  const empty = memory.buffer.byteLength;
  const files = new rigview.Files();
  files.add(name, bytes);
  const model = rigview.Model.open(files);
  const milliseconds = performance.now() - began;
  const peak = memory.buffer.byteLength - empty;
  console.log(JSON.stringify({ milliseconds, peak, file: bytes.length, model: sizeOf(model) }));
} else {
  const assimpjs = (await import(pathToFileURL(join(folder, 'node_modules/assimpjs/dist/assimpjs.js')).href)).default;
  const began = performance.now();
  const ajs = await assimpjs();
  const list = new ajs.FileList();
  list.AddFile(name, bytes);
  const result = ajs.ConvertFileList(list, 'assjson');
  JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent()));
  console.log(JSON.stringify({ milliseconds: performance.now() - began }));
}

/** The bytes that the model's own numbers take: influences or keys, normals, tangents, texture coordinates, triangles. */
function sizeOf(model) {
  const links = /\.md5mesh$/.test(name) ? count(/^\s*weight /gm) : 0;
  const frames = /\.md3$/.test(name) ? 8 : 0;
  return model.meshes.reduce((sum, { vertices, triangles }) => sum + vertices * (8 + 28 + 16 * frames) + triangles * 12, links * 32);
}

function count(pattern) {
  let found = 0;
  // In pieces: the text of a large file is longer than a string may be.
  for (let at = 0; at < bytes.length; at += 1 << 24) found += bytes.subarray(at, at + (1 << 24)).toString('latin1').match(pattern)?.length ?? 0;
  return found;
}
