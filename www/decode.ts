// In: the bytes of image files and what to make of them. Out: a bitmap or pixels. Runs in the worker, or in the page where
// there is none.
import { composeImage, decodeImage, imageKind } from './pkg/rigview.js';

export interface DecodeRequest {
  /** As the material names the image. */
  name: string;
  files: { path: string; bytes: Uint8Array }[];
  /** The first file is the image itself; otherwise `name` is a program over all of them. */
  plain: boolean;
  maskedIndex?: number;
}

export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

export interface Decoded {
  image: ImageBitmap | HTMLImageElement | Pixels;
  warnings: string[];
}

export async function decode(request: DecodeRequest): Promise<Decoded> {
  const { files, plain, name, maskedIndex } = request;
  if (plain) {
    const { path, bytes } = files[0]!;
    const kind = imageKind(path, bytes);
    if (kind?.mediaType) return { image: await browserImage(bytes, kind.mediaType, path), warnings: [] };
    const { warnings, ...pixels } = decodeImage(path, bytes, maskedIndex);
    return { image: pixels, warnings };
  }
  const warnings: string[] = [];
  const leaves: Pixels[] = [];
  for (const { path, bytes } of files) {
    const kind = imageKind(path, bytes);
    if (kind?.mediaType) leaves.push(pixelsOf(await browserImage(bytes, kind.mediaType, path)));
    else {
      const leaf = decodeImage(path, bytes);
      warnings.push(...leaf.warnings);
      leaves.push(leaf);
    }
  }
  const composed = composeImage(name, leaves);
  return { image: composed, warnings: [...warnings, ...composed.warnings] };
}

/** Pixels as the file has them: no colour profile applied, alpha not multiplied in. */
async function browserImage(bytes: Uint8Array, type: string, path: string): Promise<ImageBitmap | HTMLImageElement> {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
  try {
    return await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  } catch (error) {
    // Firefox before 98 takes no options; an image element keeps the pixels as they are when it is uploaded.
    if (typeof document === 'undefined') throw new Error(`${path}: the browser cannot decode it`, { cause: error });
    const image = new Image();
    const url = URL.createObjectURL(blob);
    try {
      image.src = url;
      await image.decode();
      return image;
    } catch (cause) {
      throw new Error(`${path}: the browser cannot decode it`, { cause });
    } finally {
      URL.revokeObjectURL(url);
    }
  }
}

function pixelsOf(image: ImageBitmap | HTMLImageElement): Pixels {
  const { width, height } = image;
  let context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null;
  if (typeof OffscreenCanvas === 'undefined') {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    context = canvas.getContext('2d');
  } else {
    context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D | null;
  }
  if (!context) throw new Error('no 2D canvas to read an image with');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, rgba: new Uint8Array(data.buffer) };
}
