// In: www/dist/package as built. Out: web servers of two origins with pages that embed models, and what happened in those pages.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { test as base, type Page } from '@playwright/test';

const www = join(__dirname, '../../www');

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.jpg': 'image/jpeg', '.svg': 'image/svg+xml', '.json': 'application/json' };

export interface Answer {
  body: string | Buffer;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Milliseconds before it is sent. */
  late?: number;
}

/** The built package under /package/, the samples under /samples/, and whatever a test puts there. */
export class Site {
  readonly asked: string[] = [];
  #answers = new Map<string, Answer>();
  #server: Server;
  /** Sent with every file. */
  headers: Record<string, string> = {};
  /** Types other than the right ones, by extension. */
  types: Record<string, string> = {};

  constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  put(path: string, answer: Answer | string): void {
    this.#answers.set(path, typeof answer === 'string' ? { body: answer } : answer);
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.asked.filter((asked) => asked === path).length;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname);
    this.asked.push(path);
    const answer = this.#answers.get(path);
    if (answer) {
      const type = answer.type ?? TYPES[extname(path)] ?? 'application/octet-stream';
      setTimeout(() => response.writeHead(answer.status ?? 200, { 'content-type': type, ...this.headers, ...answer.headers }).end(answer.body), answer.late ?? 0);
      return;
    }
    const file = join(www, path.startsWith('/samples/') ? 'public' : 'dist', path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/html', ...this.headers }).end('<h1>Not found</h1>');
      return;
    }
    const extension = extname(file);
    response.writeHead(200, { 'content-type': this.types[extension] ?? TYPES[extension] ?? 'application/octet-stream', ...this.headers });
    createReadStream(file).pipe(response);
  }
}

export interface Told {
  type: string;
  id: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  detail: any;
}

/** Counts kept in the page from its first script on. */
export interface Counts {
  frames: number;
  gl: number;
  contexts: number;
  made: number;
  freed: number;
}

export const test = base.extend<{ site: Site; other: Site }>({
  site: async ({ page }, use) => {
    const site = new Site();
    await site.start();
    await page.addInitScript(watch);
    await use(site);
    await site.stop();
  },
  other: async ({}, use) => {
    const site = new Site();
    await site.start();
    await use(site);
    await site.stop();
  },
});

export { expect } from '@playwright/test';

/** Runs in the page: notes the element's events, and counts animation frames and GL calls. */
function watch(): void {
  const told: Told[] = [];
  const counts: Counts = { frames: 0, gl: 0, contexts: 0, made: 0, freed: 0 };
  Object.assign(window, { told, counts });
  // The document, since an event called load does not reach the window.
  for (const type of ['load', 'error', 'missing', 'play', 'pause', 'clip-end', 'progress']) {
    document.addEventListener(type, (event) => {
      const { target, detail } = event as CustomEvent<unknown>;
      if (target instanceof HTMLElement && target.localName === 'rig-view') told.push({ type, id: target.id, detail });
    }, true);
  }
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = (then) => (counts.frames++, request.call(window, then));
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...all: unknown[]) => unknown>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const value = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof value !== 'function') continue;
    const call = value as (...all: unknown[]) => unknown;
    const made = /^create(Buffer|Texture|VertexArray|Program|Shader)$/.test(name);
    const freed = /^delete(Buffer|Texture|VertexArray|Program|Shader)$/.test(name);
    prototype[name] = function (this: unknown, ...all: unknown[]) {
      counts.gl++;
      if (made) counts.made++;
      if (freed && all[0]) counts.freed++;
      return call.apply(this, all);
    };
  }
  const get = HTMLCanvasElement.prototype.getContext as (...all: unknown[]) => unknown;
  const seen = new Set<unknown>();
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...all: unknown[]) {
    const context = get.apply(this, all);
    if (all[0] === 'webgl2' && context && !seen.has(context)) {
      seen.add(context);
      counts.contexts++;
      Object.assign(window, { gl: context });
    }
    return context;
  } as typeof HTMLCanvasElement.prototype.getContext;
}

/** Opens a page with this body; the script is loaded first. */
export async function embed(page: Page, site: Site, body: string, { script = '<script type="module" src="/package/rigview.js"></script>', headers = {} as Record<string, string> } = {}): Promise<void> {
  site.put('/page.html', { body: `<!doctype html><meta charset="utf-8"><title>A page</title>${script}${body}`, headers });
  await page.goto(`${site.origin}/page.html`);
}

export function told(page: Page, type: string, id?: string): Promise<Told[]> {
  return page.evaluate(
    ([kind, from]) => (window as unknown as { told: Told[] }).told.filter((one) => one.type === kind && (from === undefined || one.id === from)),
    [type, id] as const,
  );
}

export function counts(page: Page): Promise<Counts> {
  return page.evaluate(() => ({ ...(window as unknown as { counts: Counts }).counts }));
}

/** What has been counted more after a while. */
export async function during(page: Page, milliseconds: number): Promise<Counts> {
  const before = await counts(page);
  await page.waitForTimeout(milliseconds);
  const after = await counts(page);
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof Counts]])) as unknown as Counts;
}

/** Of an element's own picture: the share of pixels that are not see-through, and their mean colour. */
export function picture(page: Page, selector: string): Promise<{ covered: number; mean: number[]; width: number; height: number }> {
  return page.evaluate((which) => {
    const canvas = document.querySelector(which)!.shadowRoot!.querySelector('canvas')!;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    let count = 0;
    const sum = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3]! < 8) continue;
      count++;
      for (const channel of [0, 1, 2]) sum[channel]! += data[at + channel]!;
    }
    return { covered: count / (data.length / 4), mean: sum.map((channel) => channel / Math.max(count, 1)), width, height };
  }, selector);
}

/** A box of one joint, eight vertices, in Doom 3's format. */
export function boxMesh(shader = 'box', joint = 'origin'): string {
  const corners = Array.from({ length: 8 }, (_, index) => [index & 1 ? 8 : -8, index & 2 ? 8 : -8, index & 4 ? 16 : 0]);
  const faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]];
  return `MD5Version 10
commandline ""
numJoints 1
numMeshes 1
joints {
  "${joint}" -1 ( 0 0 0 ) ( 0 0 0 )
}
mesh {
  shader "${shader}"
  numverts 8
${corners.map(([x], index) => `  vert ${index} ( ${x! > 0 ? 1 : 0} ${index & 4 ? 0 : 1} ) ${index} 1`).join('\n')}
  numtris 12
${faces.map((face, index) => `  tri ${index} ${face.join(' ')}`).join('\n')}
  numweights 8
${corners.map((corner, index) => `  weight ${index} 0 1 ( ${corner.join(' ')} )`).join('\n')}
}
`;
}

/** The box turns about itself, a round in `frames` frames. */
export function boxTurn(frames = 24, joint = 'origin'): string {
  const turns = Array.from({ length: frames }, (_, index) => Math.sin((Math.PI * index) / frames) * (index * 2 > frames ? -1 : 1));
  return `MD5Version 10
commandline ""
numFrames ${frames}
numJoints 1
frameRate 24
numAnimatedComponents 1
hierarchy {
  "${joint}" -1 32 0
}
bounds {
${turns.map(() => '  ( -12 -12 0 ) ( 12 12 16 )').join('\n')}
}
baseframe {
  ( 0 0 0 ) ( 0 0 0 )
}
${turns.map((turn, index) => `frame ${index} {\n  ${turn.toFixed(6)}\n}`).join('\n')}
`;
}

/** An uncompressed TGA of one colour. */
export function tga(red: number, green: number, blue: number, side = 4): Buffer {
  const header = Buffer.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, side, 0, side, 0, 24, 0x20]);
  return Buffer.concat([header, Buffer.concat(Array.from({ length: side * side }, () => Buffer.from([blue, green, red])))]);
}

/** A zip whose files are stored as they are. */
export function zip(files: Record<string, string | Buffer>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, tail, path);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, bytes]);
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, Buffer.from('PK\x05\x06'), end]);
}

function crc(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** The box, its turn and its red image under /box/, for the tests that need no more. */
export function putBox(site: Site): string {
  site.put('/box/box.md5mesh', boxMesh('models/box/box'));
  site.put('/box/turn.md5anim', boxTurn());
  site.put('/box/box.tga', { body: tga(220, 30, 30) });
  return '/box/box.md5mesh /box/turn.md5anim';
}
