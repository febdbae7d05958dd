// In: views that want a picture. Out: pictures, all drawn by one WebGL context on one hidden canvas and copied to each view's own.
// No animation frame is asked for unless a visible view has something to draw.
import { Viewer } from '../pkg/rigview.js';
import { RigError } from './errors';

/** What the screen draws. */
export interface Drawn {
  readonly viewer: Viewer;
  /** Device pixels. */
  readonly size: readonly [number, number];
  /** Draws; true while another frame is needed. Errors are the view's own. */
  draw(now: number): boolean;
  /** Takes its picture off the top left corner of the shared canvas. */
  take(from: HTMLCanvasElement): void;
  /** Its textures were lost with the context. */
  renew(): void;
  /** Gives up its GPU memory until it is drawn again. */
  park(): void;
}

/** Views that keep textures and meshes on the GPU while they are out of sight: scrolling back is immediate. */
const MOST_PARKED = 24;

export class Screen {
  static #only: Screen | undefined;

  readonly canvas = document.createElement('canvas');
  readonly #root: Viewer;
  #due = new Set<Drawn>();
  #frame = 0;
  /** In the order in which they were last drawn. */
  #alive = new Set<Drawn>();
  #lost = false;

  /** The page's only one. Throws a RigError where the browser has no WebGL 2. */
  static get(): Screen {
    this.#only ??= new Screen();
    return this.#only;
  }

  private constructor() {
    this.canvas.width = this.canvas.height = 1;
    try {
      this.#root = new Viewer(this.canvas);
    } catch (cause) {
      const error = new RigError('webgl', 'This browser does not offer WebGL 2 here: it may be switched off, or the graphics driver is blocked.');
      error.cause = cause;
      throw error;
    }
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#lost = false;
      this.#root.restoreContext();
      for (const view of [...this.#alive]) view.renew();
    });
    document.addEventListener('visibilitychange', () => this.#ask());
  }

  /** A viewer that draws on the shared canvas. */
  viewer(): Viewer {
    return this.#root.another();
  }

  /** Draws this view at the next animation frame. */
  wake(view: Drawn): void {
    this.#due.add(view);
    this.#ask();
  }

  /** Draws it no more. */
  rest(view: Drawn): void {
    this.#due.delete(view);
    if (this.#due.size === 0 && this.#frame) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    }
  }

  remove(view: Drawn): void {
    this.rest(view);
    this.#alive.delete(view);
    // The last one gone, the canvas need not keep its size.
    if (this.#alive.size === 0) this.canvas.width = this.canvas.height = 1;
  }

  #ask(): void {
    if (this.#frame || this.#lost || this.#due.size === 0 || document.hidden) return;
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    this.#frame = 0;
    const due = [...this.#due];
    this.#due.clear();
    this.#fit(due);
    for (const view of due) {
      this.#alive.delete(view);
      this.#alive.add(view);
      if (view.draw(now)) this.#due.add(view);
      view.take(this.canvas);
    }
    this.#parkSome(due.length);
    this.#ask();
  }

  /** The canvas grows with its largest view, and shrinks when it is far too large. */
  #fit(due: Drawn[]): void {
    const { canvas } = this;
    let [width, height] = [1, 1];
    for (const { size } of due) [width, height] = [Math.max(width, size[0]), Math.max(height, size[1])];
    const wasteful = canvas.width * canvas.height > 4 * width * height && canvas.width * canvas.height > 1 << 20;
    if (wasteful) {
      for (const { size } of this.#alive) [width, height] = [Math.max(width, size[0]), Math.max(height, size[1])];
    }
    if (wasteful || canvas.width < width) canvas.width = width;
    if (wasteful || canvas.height < height) canvas.height = height;
  }

  #parkSome(shown: number): void {
    let spare = this.#alive.size - shown - MOST_PARKED;
    for (const view of this.#alive) {
      if (spare-- <= 0) break;
      if (this.#due.has(view)) continue;
      this.#alive.delete(view);
      view.park();
    }
  }
}
