// In: the bytes of image files and what to make of them. Out: a bitmap or pixels. Runs in the worker, or in the page where
// there is none.
import { composeImage, decodeImage, imageKind, unpackFile, type StoredFile } from './pkg/rigview.js';

export interface DecodeRequest {
  /** As the material names the image. */
  name: string;
  files: { path: string; stored: StoredFile }[];
  /** The first file is the image itself; otherwise `name` is a program over all of them. */
  plain: boolean;
  maskedIndex?: number;
  /** A plain DDS file is to come back as it is, for the graphics card. */
  keepBlocks: boolean;
}

export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** A DDS file as it is. */
export interface Blocks {
  dds: Uint8Array;
}

export interface Decoded {
  image: ImageBitmap | HTMLImageElement | Pixels | Blocks;
  warnings: string[];
  /** Where a game shows it differently. */
  notes: string[];
}

export async function decode({ files, plain, name, maskedIndex, keepBlocks }: DecodeRequest): Promise<Decoded> {
  const warnings: string[] = [];
  const notes: string[] = [];
  const unpacked = files.map(({ path, stored }) => {
    const { bytes, deflated, size, most, crc } = stored;
    if (!deflated && crc === undefined) return { path, bytes };
    const file = unpackFile(path, bytes, deflated, size, most, crc);
    if (file.warning !== undefined) warnings.push(file.warning);
    return { path, bytes: file.bytes };
  });
  const pixels = (path: string, bytes: Uint8Array, hole?: number): Pixels => {
    const { width, height, rgba, ...said } = decodeImage(path, bytes, hole);
    warnings.push(...said.warnings);
    notes.push(...said.gameNotes);
    return { width, height, rgba };
  };
  const read = async (path: string, bytes: Uint8Array, hole?: number): Promise<Pixels | ImageBitmap | HTMLImageElement> => {
    const kind = imageKind(path, bytes);
    if (!kind?.mediaType) return pixels(path, bytes, hole);
    // In a page the browser, which decodes elsewhere, goes first; but only rows of pixels can be handed over in pieces, or computed with.
    if (kind.name !== 'PNG' || (plain && typeof document !== 'undefined')) return browserImage(bytes, kind.mediaType, path);
    try {
      return pixels(path, bytes);
    } catch (error) {
      // A browser may make something of it yet.
      return browserImage(bytes, kind.mediaType, path).catch(() => {
        throw error;
      });
    }
  };
  if (plain) {
    const { path, bytes } = unpacked[0]!;
    if (keepBlocks && imageKind(path, bytes)?.name === 'DDS') return { image: { dds: bytes }, warnings, notes };
    return { image: await read(path, bytes, maskedIndex), warnings, notes };
  }
  const leaves: Pixels[] = [];
  for (const { path, bytes } of unpacked) {
    const image = await read(path, bytes);
    leaves.push('rgba' in image ? image : pixelsOf(image));
  }
  const { width, height, rgba, ...said } = composeImage(name, leaves);
  warnings.push(...said.warnings);
  return { image: { width, height, rgba }, warnings, notes };
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

/** For kinds without alpha: a canvas forgets the colour under it. */
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
