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

  update(on: boolean): void {
    layer.hidden = !on;
    if (!on || this.#labels.length === 0) return;
    const places = this.viewer.tagPlaces();
    this.#labels.forEach((label, index) => {
      const [x, y] = [places[index * 2]!, places[index * 2 + 1]!];
      label.hidden = Number.isNaN(x);
      if (!label.hidden) label.style.transform = `translate(${x * layer.clientWidth}px, ${y * layer.clientHeight}px)`;
    });
  }
}
