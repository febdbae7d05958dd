// In: the `src` of elements. Out: models, each fetched and read once however many elements show it.
import { Files, Model } from '../pkg/rigview.js';
import type { RigMissing } from './api';
import { engine } from './engine';
import { RigError } from './errors';
import { Tally, get, probe, type Fetched } from './fetch';
import { isFolder, linksOf, pathOf, places, playerSiblings, split } from './paths';

/** Guesses at where a file may be: one that the model surely has, one that it may have (Doom 3: `skin_local.tga` for `skin`), and
 * all of one model's. Each costs a request. */
const MOST_GUESSES = { needed: 6, likely: 2, model: 48 };

/** How often what was found may name further files: a script names meshes, these name materials, these name images. */
const MOST_ROUNDS = 4;

export type Told = (loaded: number, total: number, ratio: number) => void;

/** A model and its files, shared by the elements that show it. */
export class Source {
  static #byKey = new Map<string, Source>();

  /** Files that stay until the last element lets go. */
  readonly files: Promise<Files>;
  readonly model: Promise<Model>;
  missing: RigMissing[] = [];
  /** Whether skins of other names may lie beside it. */
  mayHaveSkins = false;
  #urls: string[] = [];
  #users = 0;
  #told = new Set<Told>();
  #last: [number, number, number] | undefined;
  #abort = new AbortController();
  #freed = false;

  private constructor(
    readonly key: string | undefined,
    load: (source: Source, tally: Tally, signal: AbortSignal) => Promise<{ files: Files; model: Model }>,
  ) {
    const tally = new Tally((...progress) => {
      this.#last = progress;
      for (const told of this.#told) told(...progress);
    });
    const both = load(this, tally, this.#abort.signal);
    this.files = both.then(({ files }) => files);
    this.model = both.then(({ model }) => model);
    // Whoever waits for them hears of it; nobody may.
    this.files.catch(() => {});
    this.model.catch(() => this.#forget());
  }

  /** The model at these addresses. `told` hears of the progress until `release`. */
  static of(src: string, base: string, extras: readonly string[], told: Told): Source {
    const { urls, inside } = split(src, base);
    const key = JSON.stringify([urls, inside, extras]);
    let source = this.#byKey.get(key);
    if (!source) {
      source = new Source(key, (self, tally, signal) => self.#fetch(urls, inside, extras, tally, signal));
      this.#byKey.set(key, source);
    }
    return source.use(told);
  }

  /** A model of files that are at hand. */
  static from(list: readonly { path: string; bytes: Promise<Uint8Array> }[], inside: string, told: Told): Source {
    const source = new Source(undefined, async (self) => {
      const [all] = await Promise.all([Promise.all(list.map(async ({ path, bytes }) => ({ path, bytes: await bytes }))), engine()]);
      const files = new Files();
      for (const { path, bytes } of all) files.add(path, bytes);
      return self.#finish(files, inside, undefined);
    });
    return source.use(told);
  }

  use(told: Told): Source {
    this.#users++;
    this.#told.add(told);
    if (this.#last) told(...this.#last);
    return this;
  }

  /** The last one to let go frees the model; a fetch that nobody waits for any more is broken off. */
  release(told: Told): void {
    this.#told.delete(told);
    if (--this.#users > 0) return;
    this.#forget();
    this.#abort.abort();
    if (this.#freed) return;
    this.#freed = true;
    this.model.then((model) => model.free(), () => {});
    this.files.then((files) => files.free(), () => {});
  }

  /** Its files as they came, from the browser's cache where that has them: kept here, they would take their room twice. */
  again(): Promise<{ path: string; bytes: Uint8Array }>[] {
    const tally = new Tally(() => {});
    // Those of a model that failed are let go of already.
    const { signal } = new AbortController();
    return this.#urls.map(async (url) => ({ path: pathOf(url), bytes: (await get(url, tally, signal)).bytes }));
  }

  #forget(): void {
    if (this.key !== undefined && Source.#byKey.get(this.key) === this) Source.#byKey.delete(this.key);
  }

  async #fetch(urls: string[], inside: string, extras: readonly string[], tally: Tally, signal: AbortSignal): Promise<{ files: Files; model: Model }> {
    if (urls.length === 0) throw new RigError('fetch', 'src names no file.');
    // The wasm and the files come side by side.
    const ready = engine();
    ready.catch(() => {});
    const listed = await Promise.all(urls.map(async (url) => (isFolder(url) ? await folder(url, tally, signal) : [await get(url, tally, signal)])));
    await ready;
    const files = new Files();
    try {
      const known = new Set<string>();
      const add = (file: Fetched) => {
        known.add(file.url);
        this.#urls.push(file.url);
        files.add(pathOf(file.url), file.bytes);
      };
      listed.flat().forEach(add);
      if (files.paths.length === 0) throw new RigError('fetch', `${urls[0]} lists no files.`, { url: urls[0]! });
      // An archive or a folder has all there is; single files may have more beside them.
      this.mayHaveSkins = !urls.some(isFolder) && playerSiblings(urls, []).length > 0;
      const seek = { urls, known, add, extras, tally, signal };
      return await this.#finish(files, inside, urls.some(isFolder) ? undefined : seek);
    } catch (error) {
      files.free();
      throw error;
    }
  }

  /** Opens the model, and fetches what it names as long as there is something new. */
  async #finish(files: Files, inside: string, seek: Seek | undefined): Promise<{ files: Files; model: Model }> {
    if (seek) await Promise.all(playerSiblings(seek.urls, seek.extras).map((url) => fetchNew(url, seek)));
    let guesses = MOST_GUESSES.model;
    for (let round = 1; ; round++) {
      let [model, failure]: [Model | undefined, unknown] = [undefined, undefined];
      try {
        model = Model.open(files, candidate(files, inside));
      } catch (error) {
        failure = error;
      }
      let found = false;
      if (seek && round < MOST_ROUNDS) {
        const needed = model && new Set(missingOf(model).map(({ tried }) => tried[0]));
        const idle = new Set(model?.materials.filter((material) => !isWorn(material)).flatMap(({ images }) => images.map(({ tried }) => tried[0])));
        const tries = await Promise.all(
          files.missed.map(async (tried) => {
            if (idle.has(tried[0]) && !needed?.has(tried[0])) return false;
            const most = !needed || needed.has(tried[0]) ? MOST_GUESSES.needed : MOST_GUESSES.likely;
            for (const url of places(tried, seek.urls).slice(0, most)) {
              if (seek.known.has(url)) continue;
              if (guesses-- <= 0) return false;
              if (await fetchNew(url, seek)) return true;
            }
            return false;
          }),
        );
        found = tries.includes(true);
      }
      if (found) {
        model?.free();
        continue;
      }
      if (!model) throw failure;
      this.missing = missingOf(model);
      return { files, model };
    }
  }
}

interface Seek {
  urls: string[];
  known: Set<string>;
  add: (file: Fetched) => void;
  extras: readonly string[];
  tally: Tally;
  signal: AbortSignal;
}

/** True where there was such a file and it was new. */
async function fetchNew(url: string, { known, add, tally, signal }: Seek): Promise<boolean> {
  if (known.has(url)) return false;
  known.add(url);
  const file = await probe(url, tally, signal);
  if (signal.aborted) throw new DOMException('no one waits for it', 'AbortError');
  if (file) add(file);
  return file !== undefined;
}

/** All files that a folder's listing names. */
async function folder(url: string, tally: Tally, signal: AbortSignal): Promise<Fetched[]> {
  const listing = await get(url, tally, signal);
  const links = linksOf(new TextDecoder().decode(listing.bytes), url);
  if (links.length === 0) throw new RigError('fetch', `${url} is no listing of files: it must be a web server's index, or a JSON list of names.`, { url });
  return Promise.all(links.map((link) => get(link, tally, signal)));
}

/** The candidate that a fragment means: a path in the archive, a folder there, or the end of either. */
function candidate(files: Files, inside: string): string | undefined {
  if (!inside) return undefined;
  const wanted = inside.toLowerCase().replace(/^\/+|\/+$/g, '');
  const all = files.candidates.map(({ path }) => path);
  const plain = (path: string) => path.toLowerCase().replace(/\\/g, '/');
  const found =
    all.find((path) => plain(path) === wanted) ??
    all.find((path) => plain(path).startsWith(`${wanted}/`)) ??
    all.find((path) => plain(path).endsWith(`/${wanted}`)) ??
    all.find((path) => plain(path).includes(`/${wanted}/`));
  if (found === undefined) throw new RigError('parse', `There is no model at ${inside}. There are: ${all.slice(0, 8).join(', ') || 'none'}${all.length > 8 ? ' …' : ''}`);
  return found;
}

/** Otherwise the mesh's own name stands in the file, and every skin puts another in its place. */
function isWorn({ worn, shown }: { worn: boolean; shown: boolean }): boolean {
  return worn || shown;
}

function missingOf(model: Model): RigMissing[] {
  const missing = new Map<string, RigMissing>();
  for (const { images } of model.materials.filter(isWorn)) {
    for (const { name, path, tried } of images) {
      if (path === undefined && tried.length > 0) missing.set(name, { name, tried });
    }
  }
  return [...missing.values()];
}
