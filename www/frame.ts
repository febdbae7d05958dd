// In: bars and panels that lie over the picture. Out: the middle of the picture is the middle of what they leave free, so that a
// model turns in the middle of it, and all of the model fits in there.
import type { Viewer } from './pkg/rigview.js';
import { calm } from './camera';
import { byId } from './dom';
import type { Loop } from './loop';

const view = byId('view');
/** As in the style sheet: below, the panels are a sheet. */
const narrow = matchMedia('(max-width: 860px)');

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class Frame {
  constructor(
    readonly viewer: Viewer,
    readonly loop: Loop,
  ) {
    addEventListener('resize', () => this.place());
    this.place();
  }

  /** After anything that lies over the picture came, went or changed its size. */
  place(): void {
    const free = freeBox();
    if (narrow.matches && document.body.classList.contains('panels-open')) {
      setInset(free.top, innerWidth - free.right, innerHeight - free.bottom, free.left);
      view.style.setProperty('--free-top', '0px');
    } else {
      // The picture fills the window and reaches past it where less is covered. It is as high with the bar at the bottom as without:
      // the bar comes and goes with models, and a slow driver takes half a second to make a picture of another size.
      const across = innerWidth - free.right - free.left;
      const down = innerHeight - free.bottom - free.top;
      const [middle, half] = [(free.top + free.bottom) / 2, (innerHeight + Math.max(free.top, Math.abs(down))) / 2];
      setInset(middle - half, Math.min(across, 0), innerHeight - middle - half, Math.min(-across, 0));
      view.style.setProperty('--free-top', `${free.top - middle + half}px`);
    }
    view.style.setProperty('--free-width', `${free.right - free.left}px`);
    this.loop.resize();
  }

  /** Brings all of the model into view, seen from where the camera is or from `yaw` and `pitch`. */
  frame(smoothly = !calm.matches, side?: { yaw: number; pitch: number }): void {
    const { viewer } = this;
    const before = viewer.camera;
    if (side) viewer.setCamera(new Float32Array([...before.slice(0, 3), side.yaw, side.pitch, ...before.slice(5)]), false);
    const free = freeBox();
    const [width, height] = [free.right - free.left, free.bottom - free.top];
    // Framed for a picture as large as what is free; in the whole picture the same size is that much farther away.
    viewer.resize(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), 1);
    viewer.frame(false);
    this.loop.resize();
    viewer.zoom(view.clientHeight / Math.max(height, 1));
    if (smoothly) {
      const after = viewer.camera;
      viewer.setCamera(new Float32Array(before), false);
      viewer.setCamera(new Float32Array(after), true);
    }
    this.loop.wake();
  }
}

/** What bars and panels leave free of the window. */
export function freeBox(): Box {
  const box: Box = { left: 0, top: byId('top').getBoundingClientRect().bottom, right: innerWidth, bottom: innerHeight };
  const over = (id: string) => {
    const rectangle = byId(id).getBoundingClientRect();
    return rectangle.width > 0 ? rectangle : undefined;
  };
  box.bottom = Math.min(box.bottom, over('transport')?.top ?? innerHeight);
  if (narrow.matches) {
    if (document.body.classList.contains('panels-open')) box.bottom = Math.min(box.bottom, over('panels')?.top ?? innerHeight);
  } else {
    box.left = over('left')?.right ?? 0;
    box.right = over('right')?.left ?? innerWidth;
  }
  // A window too small for anything to be free is not worth shifting the picture for.
  if (box.right - box.left < 80) [box.left, box.right] = [0, innerWidth];
  if (box.bottom - box.top < 80) [box.top, box.bottom] = [0, innerHeight];
  return box;
}

function setInset(top: number, right: number, bottom: number, left: number): void {
  Object.assign(view.style, { top: `${top}px`, right: `${right}px`, bottom: `${bottom}px`, left: `${left}px` });
}
