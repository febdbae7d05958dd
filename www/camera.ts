// In: mouse, touch, wheel and keys on the canvas. Out: the camera turns, moves and zooms.
import type { Loop } from './loop';

const TURN = 0.0075; // radians a pixel
const KEY_TURN = 0.12;
const KEY_PAN = 0.04;

export const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** One finger or the left button turns; two fingers, the right or middle button, or Shift move; wheel and pinch zoom. */
export function watchCamera({ canvas, viewer, wake, frame }: { canvas: HTMLCanvasElement; viewer: Loop['viewer']; wake: () => void; frame: () => void }): void {
  const pointers = new Map<number, PointerEvent>();

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    canvas.classList.add('grabbed');
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const others = [...pointers.values()].filter((other) => other.pointerId !== event.pointerId);
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    const [other] = others;
    if (other) {
      // Each finger moves the middle by half, and its distance to the other is the zoom.
      const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
      const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      if (before > 0 && after > 0) viewer.zoom(before / after);
      viewer.pan(-dx / 2 / canvas.clientHeight, dy / 2 / canvas.clientHeight);
    } else if (event.shiftKey || event.buttons & 6) {
      viewer.pan(-dx / canvas.clientHeight, dy / canvas.clientHeight);
    } else {
      viewer.orbit(-dx * TURN, dy * TURN);
    }
    pointers.set(event.pointerId, event);
    wake();
  });
  const release = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) canvas.classList.remove('grabbed');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('dblclick', frame);

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      // Lines and pages come as a few units, pixels as dozens; a pinch on a touchpad comes with Ctrl and small steps.
      const scale = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 300;
      viewer.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * scale)) * (event.ctrlKey ? 0.01 : 0.0015)));
      wake();
    },
    { passive: false },
  );

  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [right, up] = ARROWS[event.key] ?? [0, 0];
    if (right || up) {
      if (event.shiftKey) viewer.pan(right * KEY_PAN, up * KEY_PAN);
      else viewer.orbit(right * KEY_TURN, up * KEY_TURN);
    } else if (event.key === '+' || event.key === '=') viewer.zoom(1 / 1.12);
    else if (event.key === '-' || event.key === '_') viewer.zoom(1.12);
    else return;
    event.preventDefault();
    wake();
  });
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
