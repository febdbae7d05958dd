// In: decoded images and the viewers that want them. Out: they are handed over, one after the other and some rows a frame, so that no
// page waits for its graphics card.
import type { Viewer } from './pkg/rigview.js';
import type { Decoded } from './decode';

/** Bytes in one call: what a slow driver takes in a few milliseconds. */
const BAND = 256 << 10;
/** Bytes and milliseconds in one frame: more would fill the browser's way to the graphics card, and the page would wait. */
const FRAME = { bytes: 4 << 20, time: 8 };

/** One image at a time, whoever asks. */
let last: Promise<unknown> = Promise.resolve();

/** True once the image is shown; false where it is not wanted any more, or the graphics card does not take it as it is. */
export function upload(viewer: Viewer, id: number, image: Decoded['image'], isWanted: () => boolean): Promise<boolean> {
  const done = last.then(() => hand(viewer, id, image, isWanted));
  last = done.catch(() => {});
  return done;
}

async function hand(viewer: Viewer, id: number, image: Decoded['image'], isWanted: () => boolean): Promise<boolean> {
  await nextFrame();
  if (!isWanted()) return false;
  if ('dds' in image) return viewer.setImageBlocks(id, image.dds);
  const { width, height } = image;
  if (!viewer.beginImage(id, width, height)) return false;
  if ('rgba' in image) {
    const rows = Math.max(1, Math.floor(BAND / (4 * width)));
    let [sent, start] = [0, performance.now()];
    for (let top = 0; top < height; top += rows) {
      if (sent >= FRAME.bytes || performance.now() - start >= FRAME.time) {
        await nextFrame();
        if (!isWanted()) return false;
        [sent, start] = [0, performance.now()];
      }
      const band = image.rgba.subarray(top * width * 4, Math.min(top + rows, height) * width * 4);
      viewer.addImageRows(id, top, band);
      sent += band.length;
    }
  } else viewer.addImageRows(id, 0, image);
  return viewer.finishImage(id);
}

/** A hidden page has no frames. */
function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => (document.hidden ? setTimeout(resolve) : requestAnimationFrame(resolve)));
}
