// In: everything among the files that could be shown. Out: a list to choose from, by folder, searchable.
import type { Candidate, Session } from './session';
import { byId, el, shortened } from './dom';

const section = byId('models');
const list = byId('models-list');
const search = byId<HTMLInputElement>('models-search');

/** More rows than anyone scrolls through: the search finds the others. */
const MOST_ROWS = 400;

export class Models {
  #candidates: Candidate[] = [];
  /** Paths of what could not be opened. */
  #failed = new Set<string>();

  constructor(readonly session: Session) {
    search.addEventListener('input', () => this.#render());
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#rows[0]?.click();
      else if (event.key === 'ArrowDown') this.#rows[0]?.focus();
      else if (event.key === 'Escape') this.findAll();
      else return;
      event.preventDefault();
    });
    list.addEventListener('keydown', (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const at = this.#rows.indexOf(document.activeElement as HTMLElement) + by;
      // Above the first one is the search.
      if (at < 0 && !search.hidden) search.focus();
      else this.#rows[at]?.focus();
    });
  }

  /** Ends a search. */
  findAll(): void {
    search.value = '';
    if (!section.hidden) this.#render();
  }

  /** Marks a file that cannot be opened. */
  fail(path: string): void {
    this.#failed.add(path);
  }

  get #rows(): HTMLElement[] {
    return [...list.querySelectorAll<HTMLElement>('[role=option]')];
  }

  show(): void {
    const all = this.session.candidates;
    const whole = all.filter((candidate) => candidate.whole);
    // Animations alone are worth a list only where there is nothing else.
    this.#candidates = whole.length > 0 ? whole : all;
    this.#failed.delete(this.session.path);
    // One model that the user brought has a row too, to be removed by.
    section.hidden = this.#candidates.length < (this.session.isSample ? 2 : 1);
    byId('models-count').textContent = String(this.#candidates.length);
    search.hidden = this.#candidates.length < 8;
    if (search.hidden) search.value = '';
    if (section.hidden) return;
    this.#render();
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  #render(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#candidates.filter(({ path, format }) => words.every((word) => `${path} ${format}`.toLowerCase().includes(word)));
    found.sort(byFolder);
    const rows: HTMLElement[] = [];
    let folder: string | undefined;
    for (const candidate of found.slice(0, MOST_ROWS)) {
      const [here, name] = split(candidate.path);
      if (here !== folder) {
        folder = here;
        if (here) rows.push(el('div', { class: 'folder', role: 'presentation', title: here }, here));
      }
      const isShown = candidate.path === this.session.path;
      const failed = this.#failed.has(candidate.path);
      // A player is known by its folder.
      const title = candidate.format === 'Quake III player' ? split(here)[1] || name : name;
      const row = el(
        'button',
        { type: 'button', class: 'row', role: 'option', 'aria-selected': isShown, title: failed ? `${candidate.path}: could not be opened` : candidate.path },
        shortened(title),
        failed && el('span', { class: 'badge error', role: 'img', 'aria-label': 'could not be opened' }, '!'),
        el('span', { class: 'aside' }, candidate.format),
      );
      row.addEventListener('click', () => void this.session.open(candidate.path));
      rows.push(row);
    }
    if (found.length > MOST_ROWS) rows.push(el('p', { class: 'faint' }, `and ${found.length - MOST_ROWS} more: search for them`));
    if (found.length === 0) rows.push(el('p', { class: 'faint' }, 'No model matches'));
    const scrolled = list.scrollTop;
    list.replaceChildren(...rows);
    list.classList.toggle('long', rows.length > 10);
    list.scrollTop = scrolled;
  }
}

/** With numbers as people count: 2 before 10. */
const inOrder = new Intl.Collator(undefined, { numeric: true }).compare;

/** Folder after folder; in one, what puts a model together before its pieces. */
function byFolder(a: Candidate, b: Candidate): number {
  const [[folderA, nameA], [folderB, nameB]] = [split(a.path), split(b.path)];
  const piece = (name: string) => Number(!/\.qc$/i.test(name));
  return inOrder(folderA, folderB) || piece(nameA) - piece(nameB) || inOrder(nameA, nameB);
}

function split(path: string): [string, string] {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}
