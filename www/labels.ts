// In: the tags of a model. Out: their names on the picture.
import type { Model, Viewer } from './pkg/rigview.js';
import { byId, el } from './dom';

const layer = byId('labels');

export class Labels {
  #labels: HTMLElement[] = [];

  constructor(readonly viewer: Viewer) {}

  show(model: Model): void {
    this.#labels = model.tags.map((name) => el('span', {}, name));
    layer.replaceChildren(...this.#labels);
  }

  clear(): void {
    this.#labels = [];
    layer.replaceChildren();
  }

  update(on: boolean): void {
    layer.hidden = !on;
    if (!on || this.#labels.length === 0) return;
    const places = this.viewer.tagPlaces();
    const { clientWidth, clientHeight } = layer;
    const taken: [number, number][] = [];
    this.#labels.forEach((label, index) => {
      const [x, y] = [places[index * 2]! * clientWidth, places[index * 2 + 1]! * clientHeight];
      // Tags of parts that hang on each other stand in one place: the first name there stands for all.
      const covered = taken.some(([otherX, otherY]) => Math.abs(x - otherX) < 60 && Math.abs(y - otherY) < 16);
      label.hidden = Number.isNaN(x) || covered;
      if (label.hidden) return;
      taken.push([x, y]);
      label.style.transform = `translate(${x}px, ${y}px)`;
    });
  }
}
