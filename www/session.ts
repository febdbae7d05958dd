// In: files as they come. Out: the model that they make. What was shown stays until something else can be shown.
import { Files, Model, type Diagnostic, type OpenError } from './pkg/rigview.js';
import type { Incoming } from './files';
import { isRead } from './kinds';
import { Progress, say } from './status';

/** Larger files are added piece by piece. */
const PIECEWISE = 4 << 20;

const ARCHIVE = /\.(pk3|pk4|zip|pak)$/i;
const IMAGE = /\.(tga|dds|pcx|bmp|wal|png|jpe?g|webp|gif)$/i;

export interface Candidate {
  path: string;
  format: string;
  whole: boolean;
}

export interface Shown {
  model: Model;
  files: Files;
  path: string;
  /** The same model as before, with more files. */
  kept: boolean;
  /** None of the files before are there any more: a path may now mean another file. */
  fresh: boolean;
}

export class Session {
  #files = new Files();
  /** Images that came by themselves, not in an archive; and how many models there are to wear them. */
  #images = new WeakMap<Files, { paths: Set<string>; models: number }>();
  #model: Model | undefined;
  #path = '';
  /** Files that belong to a sample give way to the first ones that the user brings. */
  #isSample = false;
  /** Brought while a sample is shown, and nothing by themselves: what is brought next may need them. */
  #waiting: Files | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    readonly shown: (shown: Shown) => void,
    /** `files`: those of which nothing could be shown; they may be gone afterwards. */
    readonly failed: (message: string, diagnostics: Diagnostic[], files?: Files) => void,
    /** A file has been replaced. */
    readonly replaced: (path: string) => void,
  ) {}

  get files(): Files {
    return this.#files;
  }

  get model(): Model | undefined {
    return this.#model;
  }

  /** Whether what is shown came with the page. */
  get isSample(): boolean {
    return this.#isSample;
  }

  get path(): string {
    return this.#path;
  }

  get candidates(): Candidate[] {
    return this.#files.candidates;
  }

  /** Images that the user brought for the model and that none of its materials is made of. Of several models each has its own. */
  get unused(): string[] {
    const images = this.#images.get(this.#files);
    if (!images || !this.#model || this.#isSample || images.models > 1) return [];
    const used = new Set(this.#model.materials.flatMap((material) => material.images.flatMap(({ files }) => files.map(({ path }) => path))));
    return [...images.paths].filter((path) => !used.has(path));
  }

  /** Adds files that the user brings, and shows what they make. */
  add(incoming: Promise<Incoming[]> | Incoming[]): Promise<void> {
    return this.#then(async () => {
      const list = await incoming;
      if (list.length === 0) return;
      const ignored = list.filter(({ path }) => !isRead(path));
      if (ignored.length === list.length) {
        this.failed(refusal(ignored.map(({ path }) => path)), []);
        return;
      }
      await this.#take(this.#isSample ? (this.#waiting ?? new Files()) : this.#files, list, false);
    });
  }

  /** Shows a sample instead of everything that is there. */
  sample(incoming: Incoming[], open: string): Promise<void> {
    return this.#then(() => this.#take(new Files(), incoming, true, open));
  }

  /** Lets go of every file. */
  clear(): Promise<void> {
    return this.#then(async () => {
      const [model, files] = [this.#model, this.#files];
      this.#files = new Files();
      this.#model = undefined;
      this.#path = '';
      this.#isSample = false;
      this.#waiting?.free();
      this.#waiting = undefined;
      model?.free();
      files.free();
    });
  }

  /** Shows another of the candidates. */
  open(path: string): Promise<void> {
    return this.#then(async () => this.#open(this.#files, [path], this.#isSample));
  }

  /** One thing after the other: a drop during a drop waits. */
  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work).catch((error: unknown) => {
      console.error(error);
      this.failed(error instanceof Error ? error.message : String(error), []);
    });
    this.#work = done;
    return done;
  }

  async #take(files: Files, incoming: Incoming[], isSample: boolean, open?: string): Promise<void> {
    const before = new Set(files.candidates.map((candidate) => candidate.path));
    const known = new Set(files.paths);
    const unread = await read(files, incoming);
    for (const { path } of incoming) if (known.has(path)) this.replaced(path);
    // What an archive holds may take the place of anything.
    if (incoming.some(({ path }) => ARCHIVE.test(path))) for (const path of known) this.replaced(path);

    const candidates = files.candidates;
    const images = this.#images.get(files)?.paths ?? new Set();
    for (const { path } of incoming) if (IMAGE.test(path)) images.add(path);
    this.#images.set(files, { paths: images, models: candidates.filter(({ whole }) => whole).length });

    const fresh = candidates.filter((candidate) => !before.has(candidate.path));
    const models = fresh.filter((candidate) => candidate.whole).map((candidate) => candidate.path);
    if (open !== undefined) this.#open(files, [open], isSample);
    else if (files === this.#files && this.#model) {
      // A new model is shown; anything else adds to the one that is there.
      this.#open(files, models.length > 0 ? models : [this.#path], isSample);
      if (models.length === 0) {
        const unused = new Set(this.unused);
        const idle = incoming.every(({ path }) => unused.has(path));
        say(`${added(incoming)}${idle ? `: no material of this model names ${incoming.length > 1 ? 'them' : 'it'}` : ''}`);
      }
    } else this.#open(files, [undefined], isSample);
    if (unread.length > 0) say(`Could not be read: ${unread[0]!}${unread.length > 1 ? ` and ${unread.length - 1} more` : ''}`, 'error');
  }

  /** Shows the first of these that can be opened; `undefined` is the best there is. */
  #open(files: Files, paths: (string | undefined)[], isSample: boolean): void {
    let model: Model | undefined;
    let path: string | undefined;
    let error: OpenError | undefined;
    for (path of paths) {
      try {
        model = Model.open(files, path);
        break;
      } catch (thrown) {
        error ??= thrown as OpenError;
      }
    }
    if (model) this.#show(model, files, path, isSample);
    else if (files !== this.#files && !isSample) {
      // Files that make nothing on their own may yet be joined by what they need.
      if (this.#model) this.#waiting = files;
      else this.#files = files;
    }
    if (error) this.failed(error.message, error.report?.diagnostics ?? [], files);
    if (!model && isSample && files !== this.#files) files.free();
  }

  #show(model: Model, files: Files, path: string | undefined, isSample: boolean): void {
    const fresh = files !== this.#files;
    const kept = !fresh && path !== undefined && path === this.#path;
    const [old, oldFiles] = [this.#model, this.#files];
    this.#files = files;
    this.#model = model;
    this.#path = model.path;
    this.#isSample = isSample;
    this.shown({ model, files, path: this.#path, kept, fresh });
    old?.free();
    if (!fresh) return;
    oldFiles.free();
    if (this.#waiting !== files) this.#waiting?.free();
    this.#waiting = undefined;
  }
}

function refusal(paths: string[]): string {
  const [first] = paths;
  return paths.length === 1 ? `${first}: not a kind Rigview reads` : `${paths.length} files, none of a kind Rigview reads: ${paths.slice(0, 20).join(', ')}${paths.length > 20 ? ' …' : ''}`;
}

function added(incoming: Incoming[]): string {
  const read = incoming.filter(({ path }) => isRead(path)).length;
  const what = incoming.length === 1 ? incoming[0]!.path : read === 1 ? '1 file' : `${read} files`;
  return `Added ${what}${read < incoming.length ? `, ignored ${incoming.length - read}` : ''}`;
}

/** Reads files into the bundle, with progress by bytes. Returns those that could not be read: moved or locked meanwhile. */
async function read(files: Files, incoming: Incoming[]): Promise<string[]> {
  const unread: string[] = [];
  const progress = new Progress('Reading files');
  const total = incoming.reduce((sum, { file }) => sum + file.size, 0) || 1;
  let done = 0;
  let breath = performance.now();
  const came = (bytes: number) => progress.set((done += bytes) / total);
  try {
    for (const { path, file } of incoming) {
      try {
        await readOne(files, path, file, came);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        unread.push(message.startsWith(path) ? message : `${path}: ${message}`);
      }
      if (performance.now() - breath > 30) {
        await new Promise((resolve) => setTimeout(resolve));
        breath = performance.now();
      }
    }
  } finally {
    progress.done();
  }
  return unread;
}

async function readOne(files: Files, path: string, file: File, came: (bytes: number) => void): Promise<void> {
  if (file.size <= PIECEWISE) {
    files.add(path, new Uint8Array(await file.arrayBuffer()));
    came(file.size);
    return;
  }
  const writer = files.begin(path, file.size);
  const reader = file.stream().getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    writer.write(piece.value);
    came(piece.value.length);
  }
  writer.finish();
}
