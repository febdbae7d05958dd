// In: a model's clips. Out: lists to choose from; a player has one for each part.
import type { Model, Viewer } from './pkg/rigview.js';
import { byId, el, shortened } from './dom';
import type { Timed } from './transport';

export type Clip = Model['clips'][number];

interface List {
  title: string;
  /** The part that the list moves; empty for all. */
  part: string;
  clips: Clip[];
}

const section = byId('clips');
const lists = byId('clips-lists');

/** Shows the lists, marks what plays, and calls back when the choice changes. */
export class Clips {
  #lists: List[] = [];
  #clips: Clip[] = [];

  constructor(
    readonly viewer: Viewer,
    readonly changed: () => void,
  ) {
    // The lists are one stop of the Tab key; arrows go from row to row.
    lists.addEventListener('keydown', (event) => {
      const rows = this.#rows;
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
      const row = to === undefined || at < 0 ? undefined : rows[to];
      if (!row) return;
      event.preventDefault();
      for (const other of rows) other.tabIndex = other === row ? 0 : -1;
      row.focus();
    });
  }

  get #rows(): HTMLElement[] {
    return [...lists.querySelectorAll<HTMLElement>('.row')];
  }

  /** Fills the lists for another model. `kept`: what plays goes on. */
  show(model: Model, kept: boolean, start?: string): void {
    this.#clips = model.clips;
    this.#lists = listsOf(this.#clips);
    section.hidden = this.#clips.length === 0;
    byId('clips-count').textContent = this.#clips.length > 1 ? String(this.#clips.length) : '';
    if (!kept || this.viewer.clips.length === 0) this.#start(start);
    this.#render();
  }

  clear(): void {
    this.#clips = this.#lists = [];
    section.hidden = true;
  }

  /** The clips that are chosen, the longest first. */
  get chosen(): Clip[] {
    const names = this.viewer.clips.map(({ clip }) => clip);
    return this.#clips.filter((clip) => names.includes(clip.name)).sort((a, b) => b.duration - a.duration);
  }

  /** What the timeline runs through. */
  get timed(): Timed | undefined {
    const clip = this.chosen[0];
    return clip && { ...clip, marks: (clip.events ?? []).map(({ frame, text }) => ({ seconds: frame / clip.rate, text: `Frame ${frame}: ${text}` })) };
  }

  choose(list: List, clip: Clip | undefined): void {
    const { viewer } = this;
    if (!list.part) viewer.setClip(clip?.name);
    else {
      viewer.setClip(clip?.name, list.part);
      this.#fillParts(list.part);
    }
    viewer.seek(viewer.speed < 0 ? viewer.duration : 0);
    if (clip && clip.frames > 1) viewer.play();
    this.#render();
    this.changed();
  }

  /** The next or previous clip of the list that moved last. */
  step(by: 1 | -1): void {
    const list = this.#lists[0];
    if (!list) return;
    const at = list.clips.findIndex((clip) => this.#plays(clip));
    const next = list.clips[(at + by + list.clips.length) % list.clips.length];
    if (next) this.choose(list, next);
  }

  /** What a model does when it is first shown. */
  #start(start?: string): void {
    const { viewer } = this;
    viewer.setClip(undefined);
    const parts = this.#lists.filter((list) => list.part);
    if (parts.length > 1) {
      for (const list of parts) viewer.setClip(resting(list)?.name, list.part);
    } else {
      const all = this.#lists.flatMap((list) => list.clips);
      const moves = all.filter((one) => one.frames > 1);
      const clip = all.find((one) => one.name === start) ?? moves.find((one) => /^idle$/i.test(one.name)) ?? moves.find((one) => /idle/i.test(one.name)) ?? moves[0] ?? all[0];
      viewer.setClip(clip?.name);
    }
    viewer.seek(0);
    if (this.chosen.some((clip) => clip.frames > 1)) viewer.play();
    else viewer.pause();
  }

  /** After one part was given a clip, parts without one stand. */
  #fillParts(moved: string): void {
    const moving = this.viewer.clips.map(({ part }) => part);
    for (const list of this.#lists) {
      if (list.part && list.part !== moved && !moving.includes(list.part)) this.viewer.setClip(resting(list)?.name, list.part);
    }
  }

  #plays(clip: Clip): boolean {
    return this.viewer.clips.some((chosen) => chosen.clip === clip.name);
  }

  #render(): void {
    const focused = this.#rows.indexOf(document.activeElement as HTMLElement);
    const scrolled = [...lists.querySelectorAll('.list')].map((list) => list.scrollTop);
    lists.replaceChildren(
      ...this.#lists.map((list) => {
        const titled = this.#lists.length > 1;
        const options = list.clips.map((clip) => this.#row(list, clip));
        // The pose that the file stores, without any clip.
        if (!titled) options.push(this.#row(list, undefined));
        return el('div', { class: 'clip-group', role: 'group', 'aria-label': titled ? list.title : 'Clips' }, titled && el('h3', {}, list.title), el('div', { class: 'list' }, ...options));
      }),
    );
    [...lists.querySelectorAll('.list')].forEach((list, index) => (list.scrollTop = scrolled[index] ?? 0));
    const pressed = lists.querySelector<HTMLElement>('[aria-pressed=true]');
    const stop = this.#rows[focused] ?? pressed ?? this.#rows[0];
    if (stop) stop.tabIndex = 0;
    if (focused >= 0) this.#rows[focused]?.focus();
    else pressed?.scrollIntoView({ block: 'nearest' });
  }

  #row(list: List, clip: Clip | undefined): HTMLElement {
    const on = clip ? this.#plays(clip) : this.viewer.clips.length === 0;
    const button = el(
      'button',
      { type: 'button', class: 'row', 'aria-pressed': on, tabindex: -1 },
      shortened(clip ? clip.name : 'No clip'),
      el('span', { class: 'aside' }, clip ? (clip.frames > 1 ? `${clip.duration.toFixed(2)} s` : 'still') : 'bind pose'),
    );
    if (clip) button.title = `${clip.name}: ${clip.frames} frames at ${trim(clip.rate)} fps, from ${clip.source}`;
    button.addEventListener('click', () => this.choose(list, clip));
    return button;
  }
}

function listsOf(clips: Clip[]): List[] {
  const parts = [...new Set(clips.map((clip) => clip.part ?? ''))];
  if (parts.length < 2) return [{ title: 'Clips', part: '', clips }];
  const both = clips.filter((clip) => clip.name.startsWith('BOTH_'));
  const of = (part: string) => clips.filter((clip) => (clip.part ?? '') === part && !both.includes(clip));
  const titles: Record<string, string> = { lower: 'Legs', upper: 'Torso' };
  return [
    ...parts.map((part) => ({ title: titles[part] ?? part, part, clips: of(part) })),
    { title: 'Whole body', part: '', clips: both },
  ].filter((list) => list.clips.length > 0);
}

/** What a part does while another moves. */
function resting(list: List): Clip | undefined {
  return list.clips.find((clip) => /_(IDLE|STAND)$/.test(clip.name)) ?? list.clips.find((clip) => /idle|stand/i.test(clip.name)) ?? list.clips[0];
}

/** 24 as "24", 29.97 as "29.97". */
export function trim(value: number): string {
  return String(Math.round(value * 100) / 100);
}
