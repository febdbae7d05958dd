// In: the cameras of a model. Out: a list to look through them, and the way back.
import type { Model, Viewer } from './pkg/rigview.js';
import { byId, el } from './dom';
import type { Timed } from './transport';

type Camera = Model['cameras'][number];

const section = byId('cameras');
const list = byId('cameras-list');
const leave = byId('leave-camera');

export class Cameras {
  #cameras: Camera[] = [];
  #through: number | undefined;
  #alone = false;

  constructor(
    readonly viewer: Viewer,
    readonly changed: () => void,
  ) {
    leave.addEventListener('click', () => this.leave());
  }

  show(model: Model, kept: boolean): void {
    this.#cameras = model.cameras;
    section.hidden = this.#cameras.length === 0;
    const through = kept && this.#through !== undefined && this.#through < this.#cameras.length ? this.#through : undefined;
    // A camera alone is there to be looked through, but first its path is what can be seen, and where on it the camera is.
    this.#alone = this.#cameras.length > 0 && model.meshes.length === 0 && model.clips.length === 0;
    this.#set(through);
    if (this.#alone && !kept) this.viewer.play();
  }

  clear(): void {
    this.#cameras = [];
    this.#alone = false;
    section.hidden = true;
    this.#set(undefined);
  }

  /** What the timeline shows while a camera is looked through, or stands alone. */
  get timed(): Timed | undefined {
    const shown = this.#through ?? (this.#alone ? 0 : undefined);
    const camera = shown === undefined ? undefined : this.#cameras[shown];
    if (!camera) return undefined;
    // A cut takes no time: those before it have moved it forward.
    const marks = camera.cuts.map((cut, index) => ({ seconds: (cut - index) / camera.rate, text: `Cut after frame ${cut}` }));
    return { frames: Math.max(camera.frames - camera.cuts.length, 1), rate: camera.rate, loops: true, marks };
  }

  leave(): boolean {
    if (this.#through === undefined) return false;
    this.#set(undefined);
    this.changed();
    return true;
  }

  #set(through: number | undefined): void {
    this.#through = through;
    this.viewer.lookThrough(through);
    document.body.classList.toggle('looking', through !== undefined);
    leave.hidden = through === undefined;
    list.replaceChildren(
      ...this.#cameras.map((camera, index) => {
        const row = el(
          'button',
          { type: 'button', class: 'row', 'aria-pressed': index === through, title: `${camera.name}: ${camera.frames} frames, ${camera.cuts.length} cuts, from ${camera.source}` },
          el('span', { class: 'name' }, camera.name),
          el('span', { class: 'aside' }, `${camera.duration.toFixed(2)} s`),
        );
        row.addEventListener('click', () => {
          if (index === this.#through) this.leave();
          else {
            this.#set(index);
            this.viewer.seek(0);
            this.viewer.play();
            this.changed();
          }
        });
        return row;
      }),
    );
  }
}
