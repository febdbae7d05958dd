// In: what a model can wear and pull. Out: the panel with skins, body groups, the entity's colour, shapes and levels of detail.
import type { Model, Viewer } from './pkg/rigview.js';
import { byId, el } from './dom';

const panel = byId<HTMLDetailsElement>('look');
const body = byId('look-body');

const WHITE = '#ffffff';

/** Choices outlive the model they were made on: the same model with more files keeps them. */
export class Look {
  #variant: string | undefined;
  #bodies = new Map<string, string>();
  #flexes = new Map<string, number>();
  #lod = 0;
  #color = WHITE;

  constructor(
    readonly viewer: Viewer,
    readonly changed: () => void,
  ) {}

  clear(): void {
    panel.hidden = true;
    body.replaceChildren();
  }

  show(model: Model, kept: boolean): void {
    if (kept) this.#wear(model);
    else {
      this.#variant = undefined;
      this.#bodies.clear();
      this.#flexes.clear();
      this.#lod = 0;
      this.#paint(WHITE);
    }
    const { variants, bodygroups, flexes, lods } = model;
    const rows: HTMLElement[] = [];
    if (variants.length > 1) {
      rows.push(
        choice('Skin', variants, this.#variant ?? variants[0]!, (name) => {
          this.#variant = name;
          model.setVariant(name);
          this.changed();
        }),
      );
    }
    for (const group of bodygroups) {
      if (group.choices.length < 2) continue;
      rows.push(
        choice(group.name, group.choices, this.#bodies.get(group.name) ?? group.choices[0]!, (name) => {
          this.#bodies.set(group.name, name);
          model.setBody(group.name, name);
          this.changed();
        }),
      );
    }
    if (lods > 1) {
      const names = Array.from({ length: lods }, (_, level) => (level === 0 ? 'Finest' : `Level ${level}`));
      rows.push(
        choice('Detail', names, names[this.#lod]!, (name) => {
          this.#lod = names.indexOf(name);
          model.setLod(this.#lod);
          this.changed();
        }),
      );
    }
    // Teams and players have colours of their own in the game.
    if (model.materials.some((material) => material.entityColor)) {
      const color = el('input', { type: 'color', value: this.#color });
      color.addEventListener('input', () => {
        this.#paint(color.value);
        this.changed();
      });
      rows.push(el('label', { class: 'field' }, el('span', {}, 'Entity colour'), color));
    }
    for (const flex of flexes) {
      const slider = el('input', { type: 'range', min: 0, max: 1, step: 0.01, value: this.#flexes.get(flex) ?? 0 });
      const value = el('span', { class: 'value', 'aria-hidden': true }, percent(slider.valueAsNumber));
      slider.addEventListener('input', () => {
        this.#flexes.set(flex, slider.valueAsNumber);
        value.textContent = percent(slider.valueAsNumber);
        model.setFlex(flex, slider.valueAsNumber);
        this.changed();
      });
      rows.push(el('label', { class: 'field flex' }, el('span', {}, flex), slider, value));
    }
    if (flexes.length > 1) {
      const reset = el('button', { type: 'button', class: 'small' }, 'Reset shapes');
      reset.addEventListener('click', () => {
        this.#flexes.clear();
        for (const flex of flexes) model.setFlex(flex, 0);
        this.show(model, true);
        this.changed();
      });
      rows.push(reset);
    }
    panel.hidden = rows.length === 0;
    body.replaceChildren(...rows);
  }

  /** The skin that was chosen; `undefined` is the first. */
  get variant(): string | undefined {
    return this.#variant;
  }

  /** Puts on a skin by name, as if it had been chosen. */
  choose(model: Model, variant: string): void {
    this.#variant = variant;
    this.show(model, true);
  }

  #paint(color: string): void {
    this.#color = color;
    const channel = (at: number) => parseInt(color.slice(at, at + 2), 16) / 255;
    this.viewer.setEntityColor(Float32Array.of(channel(1), channel(3), channel(5)));
  }

  #wear(model: Model): void {
    if (this.#variant !== undefined && model.variants.includes(this.#variant)) model.setVariant(this.#variant);
    for (const { name, choices } of model.bodygroups) {
      const worn = this.#bodies.get(name);
      if (worn !== undefined && choices.includes(worn)) model.setBody(name, worn);
    }
    for (const flex of model.flexes) {
      const weight = this.#flexes.get(flex);
      if (weight) model.setFlex(flex, weight);
    }
    if (this.#lod > 0) model.setLod(this.#lod);
  }
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function choice(title: string, names: string[], chosen: string, then: (name: string) => void): HTMLElement {
  const select = el('select', {}, ...names.map((name) => el('option', { value: name, selected: name === chosen }, name)));
  select.addEventListener('change', () => then(select.value));
  return el('label', { class: 'field' }, el('span', {}, title), select);
}
