// In: addresses of files. Out: their bytes, a few at a time, with progress, and with errors that say whose fault it was.
import { RigError } from './errors';

/** Browsers open about six connections to one server. */
const AT_ONCE = 4;

let running = 0;
const queue: (() => void)[] = [];

async function slot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((go) => queue.push(go));
  running++;
  try {
    return await work();
  } finally {
    running--;
    queue.shift()?.();
  }
}

/** What one model's files add up to. */
export class Tally {
  #loaded = 0;
  #total = 0;
  #files = 0;
  #done = 0;

  constructor(readonly changed: (loaded: number, total: number, ratio: number) => void) {}

  file(): { size: (bytes: number) => void; more: (bytes: number) => void; end: () => void } {
    this.#files++;
    let [expected, seen, ended] = [0, 0, false];
    return {
      size: (bytes) => {
        expected = bytes;
        this.#total += bytes;
      },
      more: (bytes) => {
        seen += bytes;
        this.#loaded += bytes;
        // A compressed file is longer than the server announces.
        if (seen > expected) {
          this.#total += seen - expected;
          expected = seen;
        }
        this.#tell();
      },
      end: () => {
        if (ended) return;
        ended = true;
        this.#done++;
        this.#total -= expected - seen;
        this.#tell();
      },
    };
  }

  #tell(): void {
    // Files whose size is not known yet count as a file each.
    const byBytes = this.#total > 0 ? this.#loaded / this.#total : 0;
    const byFiles = this.#files > 0 ? this.#done / this.#files : 0;
    this.changed(this.#loaded, this.#total, Math.min(1, this.#done === this.#files ? 1 : Math.min(byBytes, 0.5 + byFiles / 2)));
  }
}

export interface Fetched {
  url: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The Content-Type. */
  type: string;
}

/** A file's bytes; an error where it cannot be had. */
export function get(url: string, tally: Tally, signal: AbortSignal): Promise<Fetched> {
  return slot(async () => {
    const response = await ask(url, signal);
    if (!response.ok) {
      throw new RigError('fetch', `${url}: ${response.status === 404 ? 'there is no such file on the server (404)' : `the server answers ${response.status} ${response.statusText}`}`, { url, status: response.status });
    }
    return read(response, url, tally);
  });
}

/** A file's bytes, or nothing where it is not there. Never an error: the file was only guessed. */
export function probe(url: string, tally: Tally, signal: AbortSignal): Promise<Fetched | undefined> {
  return slot(async () => {
    try {
      const response = await fetch(url, { signal });
      // Some servers answer with a page of their own where there is no such file.
      if (!response.ok || isPage(response)) return undefined;
      return await read(response, url, tally);
    } catch {
      return undefined;
    }
  });
}

export function isPage(response: Response): boolean {
  return /^text\/html/.test(response.headers.get('content-type') ?? '');
}

async function ask(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    const { origin, protocol, host } = new URL(url);
    let error: RigError;
    if (protocol === 'file:') {
      error = new RigError('fetch', 'Browsers let no page read files from disk: put the page on a web server, or use a single-file page made with "Share".', { url });
    } else if (origin !== location.origin && (await reachable(url))) {
      error = new RigError('cors', `${host} does not let other sites read ${url}: it must answer with "Access-Control-Allow-Origin: *".`, { url });
    } else {
      error = new RigError('fetch', `${url} cannot be fetched: the network is down, there is no such server, or this page's Content-Security-Policy (connect-src) forbids it.`, { url });
    }
    error.cause = cause;
    throw error;
  }
}

/** Whether the server answers at all, which a page may find out without being allowed to read. */
async function reachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { mode: 'no-cors', method: 'GET', signal: AbortSignal.timeout?.(10_000) ?? null });
    return true;
  } catch {
    return false;
  }
}

async function read(response: Response, url: string, tally: Tally): Promise<Fetched> {
  const counted = tally.file();
  const type = response.headers.get('content-type') ?? '';
  try {
    const announced = Number(response.headers.get('content-length') ?? 0);
    if (announced > 0) counted.size(announced);
    const reader = response.body?.getReader();
    if (!reader) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      counted.more(bytes.length);
      return { url, bytes, type };
    }
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      length += piece.value.length;
      counted.more(piece.value.length);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { url, bytes, type };
  } catch (cause) {
    const error = new RigError('fetch', `${url}: the connection broke off`, { url });
    error.cause = cause;
    throw error;
  } finally {
    counted.end();
  }
}
