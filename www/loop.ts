// In: a viewer and a canvas. Out: pictures when something has changed, and no animation frame otherwise.
import type { Viewer } from './pkg/rigview.js';

export class Loop {
  #pending = 0;
  #after: (() => void)[] = [];

  constructor(
    readonly viewer: Viewer,
    readonly canvas: HTMLCanvasElement,
  ) {
    new ResizeObserver(() => this.resize()).observe(canvas);
    // The ratio changes when the window moves to another screen; the canvas may keep its size.
    addEventListener('resize', () => this.resize());
    document.addEventListener('visibilitychange', () => this.wake());
    this.resize();
  }

  /** Calls back after every picture. */
  afterDraw(then: () => void): void {
    this.#after.push(then);
  }

  /** Something may have changed: looks again at the next animation frame. */
  wake(): void {
    if (this.#pending === 0 && !document.hidden) this.#pending = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    this.#pending = 0;
    const more = this.viewer.draw(now);
    for (const then of this.#after) then();
    if (more) this.wake();
  }

  /** Makes the picture as large as its canvas is on the screen. */
  resize(): void {
    const ratio = Math.min(devicePixelRatio || 1, 3);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.viewer.resize(width, height, ratio);
    this.wake();
  }
}
