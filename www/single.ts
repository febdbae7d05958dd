// In: the model that is shown. Out: one .html file with the viewer and the model in it, which works from a disk and without a network.
import type { Files, Model } from './pkg/rigview.js';
import type { Linked } from './link';

/** All files go in where they are few; of a game's archive only those that the model shows. */
const ALL = 8 << 20;

export async function saveSingleFile(model: Model, files: Files, link: Linked): Promise<void> {
  const page = await singleFile(model, files, link);
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(page);
  anchor.download = `${model.name.replace(/[^\w.-]+/g, '_') || 'model'}.html`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

export async function singleFile(model: Model, files: Files, link: Linked): Promise<Blob> {
  const part = async (name: string) => {
    const response = await fetch(new URL(`package/${name}`, document.baseURI));
    if (!response.ok || response.headers.get('content-type')?.startsWith('text/html')) throw new Error(`package/${name} is not there: only the built site has it (npm run build).`);
    return response;
  };
  const [script, wasm] = await Promise.all([part('rigview.classic.js').then((response) => response.text()), part('rigview_bg.wasm').then((response) => response.arrayBuffer())]);
  const held = used(model, files).map((path) => ({ path, base64: base64(files.read(path)!) }));
  const attributes = Object.entries(link).map(([name, value]) => ` ${name}="${text(value)}"`).join('');
  return new Blob(
    [
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${text(model.name)}</title>\n`,
      '<style>html, body { height: 100%; margin: 0 } rig-view { width: 100%; height: 100%; aspect-ratio: auto }</style>\n',
      `<rig-view controls${attributes} alt="${text(model.name)}"></rig-view>\n`,
      // Within a script only its own end tag and a comment's beginning mean anything to the parser.
      `<script>${script.replace(/<(?=\/script|!--|script)/gi, '\\x3c')}</script>\n`,
      `<script type="application/json" id="held">${JSON.stringify({ wasm: base64(new Uint8Array(wasm)), open: model.path, files: held }).replace(/</g, '\\u003c')}</script>\n`,
      `<script>
const held = JSON.parse(document.getElementById('held').textContent);
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
RigView.wasm = bytes(held.wasm);
const files = held.files.map(({ path, base64 }) => {
  const file = new File([bytes(base64)], path);
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
});
document.querySelector('rig-view').open(files, held.open);
</script>
</html>
`,
    ],
    { type: 'text/html' },
  );
}

/** The model's own folder, and whatever else its looks and clips come from. */
function used(model: Model, files: Files): string[] {
  const all = files.paths;
  let size = 0;
  const fits = all.every((path) => (size += files.read(path)?.length ?? 0) < ALL);
  if (fits) return all;
  const folder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
  const wanted = new Set<string>([model.path]);
  for (const { source } of [...model.clips, ...model.cameras]) wanted.add(source);
  for (const { source, images } of model.materials) {
    wanted.add(source.replace(/:\d+$/, ''));
    for (const { path } of images.flatMap(({ files }) => files)) if (path !== undefined) wanted.add(path);
  }
  const beside = /\.(md3|md5mesh|skin|cfg|smd|vta|qci?)$/i;
  return all.filter((path) => wanted.has(path) || (folder(path) === folder(model.path) && beside.test(path)));
}

function base64(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
