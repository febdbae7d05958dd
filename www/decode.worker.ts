// In: requests for images. Out: bitmaps and pixels, so that the page never waits for a decoder.
import { decode, type DecodeRequest } from './decode';
import { load } from './wasm';

export type ToWorker = { module: WebAssembly.Module } | { ticket: number; request: DecodeRequest };
export type FromWorker = { ticket: number; error: string } | ({ ticket: number } & Awaited<ReturnType<typeof decode>>);

let ready: Promise<void> | undefined;

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    ready = load(data.module);
    return;
  }
  const { ticket, request } = data;
  try {
    await ready;
    const decoded = await decode(request);
    const { image } = decoded;
    const transfer = 'rgba' in image ? [image.rgba.buffer] : 'dds' in image ? [image.dds.buffer] : [image as ImageBitmap];
    postMessage({ ticket, ...decoded } satisfies FromWorker, { transfer: transfer as Transferable[] });
  } catch (error) {
    postMessage({ ticket, error: error instanceof Error ? error.message : String(error) } satisfies FromWorker);
  }
});
