// In: the images that a viewer wants and the files they are in. Out: they are decoded and handed over one by one. Views that show
// the same files share what is decoded.
import type { Files, Viewer } from '../pkg/rigview.js';
import { decode, type Decoded } from '../decode';
import { upload } from '../upload';

/** Decoded images are kept this long for the next view that wants them, in milliseconds. */
const KEPT = 4000;

type Wanted = Viewer['wantedImages'][number];

class Cache {
  #decoded = new WeakMap<Files, Map<string, Promise<Decoded>>>();

  get(files: Files, { name, paths, plain, maskedIndex }: Wanted, keepBlocks: boolean): Promise<Decoded> {
    let all = this.#decoded.get(files);
    if (!all) this.#decoded.set(files, (all = new Map()));
    const key = JSON.stringify([name, paths, maskedIndex, keepBlocks]);
    let one = all.get(key);
    if (!one) {
      const read = paths.map((path) => ({ path, stored: files.readStored(path)! }));
      one = decode({ name, files: read, plain, keepBlocks, ...(maskedIndex !== undefined && { maskedIndex }) });
      all.set(key, one);
      const list = all;
      const drop = (image?: Decoded['image']) => {
        list.delete(key);
        if (image && 'close' in image) image.close();
      };
      one.then(({ image }) => setTimeout(drop, KEPT, image), () => drop());
    }
    return one;
  }
}

const cache = new Cache();

/** Hands over whatever the viewer wants. `changed` is called after each image; `stop` breaks off. */
export async function dress(viewer: Viewer, files: Files, stop: AbortSignal, changed: () => void): Promise<string[]> {
  const problems: string[] = [];
  const isWanted = () => !stop.aborted;
  for (const wanted of viewer.wantedImages) {
    const place = wanted.paths[0] ?? wanted.name;
    try {
      let decoded = await cache.get(files, wanted, true);
      // A graphics card may refuse a DDS file as it is; then it is decoded after all.
      if (!(await upload(viewer, wanted.id, decoded.image, isWanted)) && 'dds' in decoded.image && isWanted()) {
        decoded = await cache.get(files, wanted, false);
        await upload(viewer, wanted.id, decoded.image, isWanted);
      }
      if (stop.aborted) break;
      const { warnings } = decoded;
      problems.push(...warnings.map((warning) => `${place}: ${warning}`));
    } catch (error) {
      if (stop.aborted) break;
      viewer.failImage(wanted.id);
      problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
    changed();
  }
  return problems;
}
