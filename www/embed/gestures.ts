// In: mouse, touch, wheel and keys on an element in a page that scrolls. Out: the camera moves, and the page still scrolls.
import type { Viewer } from '../pkg/rigview.js';

const TURN = 0.0075; // radians a pixel
const KEY_TURN = 0.12;
const KEY_PAN = 0.04;

export interface Handled {
  canvas: HTMLCanvasElement;
  /** Nothing to move before the model is there. */
  viewer(): Viewer | undefined;
  /** The camera has moved. */
  moved(): void;
  /** The wheel was left to the page. */
  wheelLeft(): void;
  /** A key that is not the camera's; true if it meant something. */
  key(key: string): boolean;
}

export function watchGestures({ canvas, viewer: now, moved, wheelLeft, key }: Handled): void {
  const pointers = new Map<number, { clientX: number; clientY: number }>();

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button === 2) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
  });
  canvas.addEventListener('pointermove', (event) => {
    const [last, viewer] = [pointers.get(event.pointerId), now()];
    if (!last || !viewer) return;
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
      const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      if (before > 0 && after > 0) viewer.zoom(before / after);
      viewer.pan(-dx / 2 / canvas.clientHeight, dy / 2 / canvas.clientHeight);
    } else if (event.shiftKey || event.buttons & 6) viewer.pan(-dx / canvas.clientHeight, dy / canvas.clientHeight);
    else viewer.orbit(-dx * TURN, dy * TURN);
    pointers.set(event.pointerId, event);
    moved();
  });
  const release = (event: PointerEvent) => void pointers.delete(event.pointerId);
  canvas.addEventListener('pointerup', release);
  // The browser takes a finger that moves up or down, and scrolls the page with it.
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('dblclick', () => {
    now()?.frame(true);
    moved();
  });

  canvas.addEventListener(
    'wheel',
    (event) => {
      const viewer = now();
      if (!viewer) return;
      const focused = (canvas.getRootNode() as ShadowRoot).activeElement === canvas;
      if (!focused && !event.ctrlKey) {
        wheelLeft();
        return;
      }
      event.preventDefault();
      const scale = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 300;
      viewer.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * scale)) * (event.ctrlKey ? 0.01 : 0.0015)));
      moved();
    },
    { passive: false },
  );

  canvas.addEventListener('keydown', (event) => {
    const viewer = now();
    if (!viewer || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const [right, up] = arrow;
      if (event.shiftKey) viewer.pan(right * KEY_PAN, up * KEY_PAN);
      else viewer.orbit(right * KEY_TURN, up * KEY_TURN);
    } else if (event.key === '+' || event.key === '=') viewer.zoom(1 / 1.12);
    else if (event.key === '-' || event.key === '_') viewer.zoom(1.12);
    else if (event.key === 'f' || event.key === 'Home') viewer.frame(true);
    else {
      if (key(event.key)) event.preventDefault();
      return;
    }
    event.preventDefault();
    moved();
  });
}

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
