// In: what a model has. Out: the switches for what is drawn.
import type { Model, ShowFlag, Viewer } from './pkg/rigview.js';
import { byId, el } from './dom';

interface Switch {
  flag: ShowFlag;
  title: string;
  key?: string;
  on: boolean;
  /** Whether the model has any. */
  has?: (model: Model) => boolean;
  /** Says that it has none. */
  lacks?: string;
}

const SWITCHES: Switch[] = [
  { flag: 'textures', title: 'Textures', key: 'T', on: true },
  { flag: 'bump', title: 'Bump and specular', key: 'N', on: true, has: (model) => model.materials.some((material) => material.images.some(({ slot }) => slot === 'bump' || slot === 'specular')), lacks: 'No bump or specular image' },
  { flag: 'grid', title: 'Grid', key: 'G', on: true },
  { flag: 'wireframe', title: 'Wireframe', key: 'W', on: false },
  { flag: 'joints', title: 'Joints', key: 'J', on: false, has: (model) => model.joints.length > 0, lacks: 'No joints' },
  { flag: 'tags', title: 'Tags', key: 'A', on: false, has: (model) => model.tags.length > 0, lacks: 'No tags' },
  { flag: 'hitboxes', title: 'Hit boxes', key: 'H', on: false, has: (model) => model.hitboxes > 0, lacks: 'No hit boxes' },
  { flag: 'cameras', title: 'Cameras', key: 'C', on: false, has: (model) => model.cameras.length > 0, lacks: 'No cameras' },
  { flag: 'bounds', title: 'Bounds', key: 'B', on: false },
];

export class Show {
  /** What the user wants, whether or not the model has any. */
  #on = new Set(SWITCHES.filter(({ on }) => on).map(({ flag }) => flag));
  #boxes = new Map<ShowFlag, HTMLInputElement>();

  constructor(
    readonly viewer: Viewer,
    readonly changed: () => void,
  ) {
    const rows = SWITCHES.map(({ flag, title, key, on }) => {
      const box = el('input', { type: 'checkbox', checked: on, role: 'switch' });
      box.addEventListener('change', () => this.#set(flag, box.checked));
      this.#boxes.set(flag, box);
      const label = el('label', { class: 'switch' }, box, el('span', {}, title), key !== undefined && el('kbd', { 'aria-hidden': 'true' }, key));
      if (key) box.setAttribute('aria-keyshortcuts', key);
      return label;
    });
    byId('show-body').replaceChildren(...rows);
  }

  /** Greys out what the model does not have. */
  show(model: Model): void {
    for (const { flag, has, lacks } of SWITCHES) {
      const box = this.#boxes.get(flag)!;
      box.disabled = has !== undefined && !has(model);
      // What is not there is not on, but what was chosen comes back with a model that has it.
      box.checked = !box.disabled && this.#on.has(flag);
      box.closest('label')!.title = box.disabled ? `${lacks ?? 'None'} in this model` : '';
    }
  }

  isOn(flag: ShowFlag): boolean {
    return this.#boxes.get(flag)!.checked;
  }

  /** True if the key is one of these. */
  key(key: string): boolean {
    const found = SWITCHES.find((one) => one.key === key.toUpperCase());
    if (!found) return false;
    const box = this.#boxes.get(found.flag)!;
    if (!box.disabled) {
      box.checked = !box.checked;
      this.#set(found.flag, box.checked);
    }
    return true;
  }

  static get keys(): [string, string][] {
    return SWITCHES.filter((one) => one.key).map((one) => [one.key!, one.title]);
  }

  #set(flag: ShowFlag, on: boolean): void {
    if (on) this.#on.add(flag);
    else this.#on.delete(flag);
    this.viewer.setShow(flag, on);
    this.changed();
  }
}
