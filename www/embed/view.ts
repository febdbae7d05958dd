// In: a model on a canvas of its own, and what a page or a hand does to it. Out: its pictures, as long as it is seen.
import type { Files, Model, ShowFlag, Viewer } from '../pkg/rigview.js';
import { type Drawn, Screen } from './screen';
import { dress } from './textures';

/** A full turn in about twenty seconds. */
const TURN = (2 * Math.PI) / 20_000;

export interface Watcher {
  /** After a picture. */
  drawn(): void;
  /** The clip has reached its end. */
  ended(): void;
  failed(error: unknown): void;
}

export class View implements Drawn {
  readonly viewer: Viewer;
  readonly #screen: Screen;
  readonly #context: CanvasRenderingContext2D;
  #seen = false;
  #parked = false;
  #undressed = true;
  #freed = false;
  #stop = new AbortController();
  #turning = false;
  #turned: number | undefined;
  #ratio = 0;
  #failed = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly model: Model,
    readonly files: Files,
    readonly watcher: Watcher,
  ) {
    this.#screen = Screen.get();
    this.#context = canvas.getContext('2d')!;
    this.viewer = this.#screen.viewer();
    this.viewer.setShow('grid', false);
    this.viewer.show(model, false);
  }

  get size(): readonly [number, number] {
    return [this.canvas.width, this.canvas.height];
  }

  /** Whether any of it is in the window: what is not costs nothing. */
  set seen(seen: boolean) {
    this.#seen = seen;
    if (seen) this.wake();
    else {
      this.#turned = undefined;
      this.#screen.rest(this);
    }
  }

  /** Turns by itself. */
  set turning(turning: boolean) {
    this.#turning = turning;
    this.#turned = undefined;
    if (turning) this.wake();
  }

  resize(width: number, height: number, ratio: number): void {
    if (this.#freed) return;
    const { canvas } = this;
    if (canvas.width === width && canvas.height === height && this.#ratio === ratio) return;
    this.#ratio = ratio;
    // A new size empties the canvas: what it shows stays until the next picture.
    const before = canvas.width > 1 && canvas.height > 1 ? copy(canvas) : undefined;
    [canvas.width, canvas.height] = [width, height];
    if (before) this.#context.drawImage(before, 0, 0, width, height);
    this.viewer.resize(width, height, ratio);
    this.wake();
  }

  show(flag: ShowFlag, on: boolean): void {
    this.viewer.setShow(flag, on);
    this.wake();
  }

  /** Something may look different. */
  wake(): void {
    if (this.#seen && !this.#freed && this.canvas.width > 1) this.#screen.wake(this);
  }

  draw(now: number): boolean {
    if (this.#freed) return false;
    try {
      const { viewer } = this;
      if (this.#parked) {
        this.#parked = false;
        this.#undressed = true;
        viewer.show(this.model, true);
      }
      if (this.#turning) {
        if (this.#turned !== undefined) viewer.orbit(Math.min(now - this.#turned, 250) * TURN, 0);
        this.#turned = now;
      }
      // The shared canvas holds another view's picture by now.
      viewer.invalidate();
      const more = viewer.draw(now);
      if (this.#undressed) {
        this.#undressed = false;
        void this.#dress();
      }
      if (viewer.takeEnded()) queueMicrotask(() => this.watcher.ended());
      return more || this.#turning;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  take(from: HTMLCanvasElement): void {
    if (this.#freed || this.#failed) return;
    const [width, height] = this.size;
    this.#context.globalCompositeOperation = 'copy';
    // The picture stands in the lower left corner, as GL counts.
    this.#context.drawImage(from, 0, from.height - height, width, height, 0, 0, width, height);
    this.watcher.drawn();
  }

  renew(): void {
    this.#undressed = true;
    this.wake();
  }

  park(): void {
    if (this.#freed) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#parked = true;
    this.viewer.clear();
  }

  /** The picture as it is now. */
  toBlob(type?: string, quality?: number): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(`the browser makes no ${type ?? 'image/png'}`))), type, quality);
    });
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#stop.abort();
    this.#screen.remove(this);
    try {
      this.viewer.free();
      this.model.free();
    } catch {
      // What has crashed is still held by the call that crashed.
    }
  }

  async #dress(): Promise<void> {
    const stop = this.#stop.signal;
    try {
      await dress(this.viewer, this.files, stop, () => this.wake());
    } catch (error) {
      if (!stop.aborted) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failed = true;
    queueMicrotask(() => this.watcher.failed(error));
  }
}

function copy(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const other = document.createElement('canvas');
  [other.width, other.height] = [canvas.width, canvas.height];
  other.getContext('2d')?.drawImage(canvas, 0, 0);
  return other;
}
