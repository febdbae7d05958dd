// In: everything among the files that could be shown. Out: a list to choose from, by folder, searchable.
import type { Candidate, Session } from './session';
import { byId, el } from './dom';

const section = byId('models');
const list = byId('models-list');
const search = byId<HTMLInputElement>('models-search');

/** More rows than anyone scrolls through: the search finds the others. */
const MOST_ROWS = 400;

export class Models {
  #candidates: Candidate[] = [];

  constructor(readonly session: Session) {
    search.addEventListener('input', () => this.#render());
    list.addEventListener('keydown', (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const rows = [...list.querySelectorAll<HTMLElement>('[role=option]')];
      rows[rows.indexOf(document.activeElement as HTMLElement) + by]?.focus();
    });
  }

  show(): void {
    const all = this.session.candidates;
    const whole = all.filter((candidate) => candidate.whole);
    // Animations alone are worth a list only where there is nothing else.
    this.#candidates = whole.length > 0 ? whole : all;
    section.hidden = this.#candidates.length < 2;
    byId('models-count').textContent = String(this.#candidates.length);
    search.hidden = this.#candidates.length < 8;
    if (search.hidden) search.value = '';
    if (!section.hidden) this.#render();
  }

  #render(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#candidates.filter(({ path, format }) => words.every((word) => `${path} ${format}`.toLowerCase().includes(word)));
    found.sort((a, b) => a.path.localeCompare(b.path));
    const rows: HTMLElement[] = [];
    let folder: string | undefined;
    for (const candidate of found.slice(0, MOST_ROWS)) {
      const [here, name] = split(candidate.path);
      if (here !== folder) {
        folder = here;
        if (here) rows.push(el('div', { class: 'folder', role: 'presentation', title: here }, here));
      }
      const isShown = candidate.path === this.session.path;
      const row = el(
        'button',
        { type: 'button', class: 'row', role: 'option', 'aria-selected': isShown, title: candidate.path },
        // A player is known by its folder.
        el('span', { class: 'name' }, candidate.format === 'Quake III player' ? (split(here)[1] || name) : name),
        el('span', { class: 'aside' }, candidate.format),
      );
      row.addEventListener('click', () => void this.session.open(candidate.path));
      rows.push(row);
    }
    if (found.length > MOST_ROWS) rows.push(el('p', { class: 'faint' }, `and ${found.length - MOST_ROWS} more: search for them`));
    if (found.length === 0) rows.push(el('p', { class: 'faint' }, 'None of that name'));
    const scrolled = list.scrollTop;
    list.replaceChildren(...rows);
    list.scrollTop = scrolled;
  }
}

function split(path: string): [string, string] {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}
