// In: the images that a viewer wants. Out: they are decoded in a worker and handed over row by row, so that neither decoding nor
// uploading holds up the page.
import type { Files, Viewer } from './pkg/rigview.js';
import { decode, type Decoded, type DecodeRequest } from './decode';
import type { FromWorker, ToWorker } from './decode.worker';
import { Progress } from './status';
import { upload } from './upload';

type Wanted = Viewer['wantedImages'][number];

/** Decoding this many at once keeps the worker busy without holding many images in memory. */
const AT_ONCE = 2;

export interface ImageProblem {
  path: string;
  message: string;
  severity: 'error' | 'warning';
}

/** Where a game shows an image differently. */
export interface GameNote {
  note: string;
  paths: string[];
}

export class Images {
  /** What went wrong, by path. */
  readonly problems = new Map<string, ImageProblem>();
  readonly notes = new Map<string, GameNote>();
  #decoder: Decoder;
  #files: Files | undefined;
  #running = false;
  #loading: { done: number; total: number } | undefined;
  /** Grows with every call of `update`. */
  #round = 0;

  constructor(
    readonly viewer: Viewer,
    module: WebAssembly.Module,
    /** Called after each image. */
    readonly changed: () => void,
  ) {
    this.#decoder = new Decoder(module);
  }

  /** How many of the images are there, while some are on their way. */
  get loading(): { done: number; total: number } | undefined {
    return this.#loading;
  }

  /** Fetches whatever the viewer still wants from these files. */
  async update(files: Files): Promise<void> {
    this.#files = files;
    this.#round++;
    if (this.#running) return;
    this.#running = true;
    const progress = new Progress('Textures');
    try {
      // Another model may be shown, or a file added, while images are on their way: then it starts anew.
      for (let round = -1; round !== this.#round; ) {
        round = this.#round;
        const wanted = this.viewer.wantedImages;
        let [next, done] = [0, 0];
        this.#loading = wanted.length > 0 ? { done, total: wanted.length } : undefined;
        const work = async () => {
          for (let image = wanted[next++]; image && round === this.#round; image = wanted[next++]) {
            await this.#fetch(image, () => round === this.#round);
            progress.set(++done / wanted.length);
            if (round !== this.#round) return;
            this.#loading = { done, total: wanted.length };
            this.changed();
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      }
    } finally {
      this.#running = false;
      progress.done();
      const waited = this.#loading !== undefined;
      this.#loading = undefined;
      if (waited) this.changed();
    }
  }

  /** Nothing is shown any more, so nothing is wanted. */
  forget(): void {
    this.#round++;
    this.problems.clear();
    this.notes.clear();
  }

  async #fetch(wanted: Wanted, isCurrent: () => boolean): Promise<void> {
    const { id, name, paths } = wanted;
    const place = paths[0] ?? name;
    try {
      let { image, warnings, notes } = await this.#decoder.decode(this.#request(wanted, true));
      // A graphics card may refuse a DDS file as it is; then it is decoded after all.
      if (!(await upload(this.viewer, id, image, isCurrent)) && 'dds' in image) {
        if (isCurrent()) ({ image, warnings, notes } = await this.#decoder.decode(this.#request(wanted, false)));
        await upload(this.viewer, id, image, isCurrent);
      }
      if ('close' in image) image.close();
      // Another model may want other images now; what it shares with this one is asked for again.
      if (!isCurrent()) return;
      this.problems.delete(place);
      if (warnings.length > 0) {
        this.problems.set(place, { path: place, message: `${place}: ${warnings.join('; ')}`, severity: 'warning' });
      }
      for (const note of notes) {
        const known = this.notes.get(note) ?? { note, paths: [] };
        if (!known.paths.includes(place)) known.paths.push(place);
        this.notes.set(note, known);
      }
    } catch (error) {
      // A file that changed meanwhile is asked for again.
      if (!isCurrent()) return;
      this.viewer.failImage(id);
      const message = error instanceof Error ? error.message : String(error);
      this.problems.set(place, { path: place, message: message.startsWith(place) ? message : `${place}: ${message}`, severity: 'error' });
    }
    this.changed();
  }

  #request({ name, paths, plain, maskedIndex }: Wanted, keepBlocks: boolean): DecodeRequest {
    const files = paths.map((path) => {
      const stored = this.#files!.readStored(path);
      if (!stored) throw new Error(`${path}: the file is gone`);
      return { path, stored };
    });
    return { name, files, plain, keepBlocks, ...(maskedIndex !== undefined && { maskedIndex }) };
  }
}

/** Decodes in a worker, or here where the browser cannot start one. */
class Decoder {
  #worker: Worker | undefined;
  #waiting = new Map<number, { request: DecodeRequest; resolve: (decoded: Decoded) => void; reject: (error: Error) => void }>();
  #ticket = 0;

  constructor(module: WebAssembly.Module) {
    try {
      this.#worker = new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module' });
    } catch {
      return;
    }
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      const waiting = this.#waiting.get(data.ticket);
      this.#waiting.delete(data.ticket);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data);
    });
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#giveUp();
    });
    this.#worker.postMessage({ module } satisfies ToWorker);
  }

  decode(request: DecodeRequest): Promise<Decoded> {
    const worker = this.#worker;
    if (!worker) return decode(request);
    const ticket = ++this.#ticket;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { request, resolve, reject });
      // Copied, not transferred: should the worker fail, it is done here.
      worker.postMessage({ ticket, request } satisfies ToWorker);
    });
  }

  /** No worker after all: what waits for it is done here. */
  #giveUp(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { request, resolve, reject } of this.#waiting.values()) decode(request).then(resolve, reject);
    this.#waiting.clear();
  }
}
