// In: everything among the files that could be shown. Out: a tree of folders to choose from, searchable.
import type { Candidate, Session } from './session';
import { byId, el, grouped, shortened } from './dom';

const section = byId('models');
const tree = byId('models-list');
const search = byId<HTMLInputElement>('models-search');

/** More rows than anyone scrolls through: the search finds the others. */
const MOST_ROWS = 400;
/** Up to so many models, all folders are open at first. */
const FEW = 60;

interface Folder {
  /** As the row says it: the folders that hold nothing but one another are one row. */
  name: string;
  path: string;
  folders: Map<string, Folder>;
  models: Candidate[];
  /** Models in it and below. */
  count: number;
}

export class Models {
  #candidates: Candidate[] = [];
  /** Paths of what could not be opened. */
  #failed = new Set<string>();
  /** By path, what the user opened and closed. */
  #opened = new Map<string, boolean>();
  #shown = '';

  constructor(readonly session: Session) {
    search.addEventListener('input', () => this.#render());
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') tree.querySelector<HTMLElement>('.row:not([aria-expanded])')?.click();
      else if (event.key === 'ArrowDown') this.#focus(0);
      else if (event.key === 'Escape') this.findAll();
      else return;
      event.preventDefault();
    });
    tree.addEventListener('keydown', (event) => this.#key(event));
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

  show(): void {
    const all = this.session.candidates;
    const whole = all.filter((candidate) => candidate.whole);
    // Animations alone are worth a list only where there is nothing else.
    this.#candidates = whole.length > 0 ? whole : all;
    const shown = this.session.path;
    this.#failed.delete(shown);
    // What is shown can be seen in the tree.
    if (shown !== this.#shown) for (const path of this.#opened.keys()) if (isBelow(shown, path)) this.#opened.delete(path);
    this.#shown = shown;
    // One model that the user brought has a row too, to be removed by.
    section.hidden = this.#candidates.length < (this.session.isSample ? 2 : 1);
    byId('models-count').textContent = String(this.#candidates.length);
    search.hidden = this.#candidates.length < 8;
    if (search.hidden) search.value = '';
    if (section.hidden) return;
    this.#render();
    tree.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  #render(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? this.#candidates : this.#candidates.filter(({ path, format }) => words.every((word) => `${path} ${format}`.toLowerCase().includes(word)));
    const isOpen = (folder: Folder) => words.length > 0 || (this.#opened.get(folder.path) ?? (found.length <= FEW || isBelow(this.#shown, folder.path)));

    const rows: HTMLElement[] = [];
    let left = 0;
    const add = (folder: Folder, level: number) => {
      for (const below of sorted([...folder.folders.values()], (a, b) => inOrder(a.name, b.name))) {
        if (rows.length >= MOST_ROWS) {
          left += below.count;
          continue;
        }
        const open = isOpen(below);
        rows.push(this.#folderRow(below, level, open));
        if (open) add(below, level + 1);
      }
      // Ordering thousands takes longer than to show some.
      const room = MOST_ROWS - rows.length;
      left += Math.max(folder.models.length - Math.max(room, 0), 0);
      if (room > 0) rows.push(...sorted(folder.models, byName).slice(0, room).map((model) => this.#modelRow(model, level)));
    };
    add(grow(found), 1);

    const focused = tree.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.path : undefined;
    const scrolled = tree.scrollTop;
    const notes = left > 0 ? [`and ${grouped(left)} more: search for them`] : found.length === 0 ? ['No model matches'] : [];
    tree.replaceChildren(...rows, ...notes.map((note) => el('p', { class: 'faint', role: 'none' }, note)));
    tree.classList.toggle('long', rows.length > 10);
    tree.scrollTop = scrolled;
    // One row is reached by Tab, the others from there.
    const row = rows.find(({ dataset }) => dataset.path === focused) ?? rows.find((one) => one.getAttribute('aria-selected') === 'true') ?? rows[0];
    if (row) row.tabIndex = 0;
    if (focused !== undefined) row?.focus();
  }

  #folderRow({ path, name, count }: Folder, level: number, open: boolean): HTMLElement {
    const row = el(
      'button',
      { type: 'button', class: 'row folder', role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-expanded': open, 'data-path': `${path}/`, title: path },
      el('span', { class: 'name' }, el('bdi', {}, name)),
      !open && el('span', { class: 'aside' }, grouped(count)),
    );
    row.style.setProperty('--level', String(level));
    row.addEventListener('click', () => this.#fold(path, !open));
    return row;
  }

  #modelRow({ path, format }: Candidate, level: number): HTMLElement {
    const failed = this.#failed.has(path);
    const [folder, name] = split(path);
    // A player is known by its folder.
    const title = format === 'Quake III player' ? split(folder)[1] || name : name;
    const row = el(
      'button',
      { type: 'button', class: 'row', role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-selected': path === this.#shown, 'data-path': path, title: failed ? `${path}: could not be opened` : path },
      shortened(title),
      failed && el('span', { class: 'badge error', role: 'img', 'aria-label': 'could not be opened' }, '!'),
      el('span', { class: 'aside' }, format),
    );
    row.style.setProperty('--level', String(level));
    row.addEventListener('click', () => void this.session.open(path));
    return row;
  }

  #fold(path: string, open: boolean): void {
    this.#opened.set(path, open);
    this.#render();
  }

  get #rows(): HTMLElement[] {
    return [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  }

  #focus(index: number): void {
    const rows = this.#rows;
    const row = rows[Math.min(index, rows.length - 1)];
    if (!row) return;
    for (const other of rows) other.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }

  /** As trees go: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
  #key(event: KeyboardEvent): void {
    const rows = this.#rows;
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const row = rows[at];
    if (!row) return;
    const level = (of: HTMLElement) => Number(of.getAttribute('aria-level'));
    const open = row.getAttribute('aria-expanded');
    const folder = row.dataset.path!.replace(/\/$/, '');
    switch (event.key) {
      case 'ArrowDown':
        this.#focus(at + 1);
        break;
      case 'ArrowUp':
        // Above the first one is the search.
        if (at === 0 && !search.hidden) search.focus();
        else this.#focus(Math.max(at - 1, 0));
        break;
      case 'Home':
        this.#focus(0);
        break;
      case 'End':
        this.#focus(rows.length - 1);
        break;
      case 'ArrowRight':
        if (open === 'false') this.#fold(folder, true);
        else if (open === 'true') this.#focus(at + 1);
        break;
      case 'ArrowLeft':
        if (open === 'true' && search.value === '') this.#fold(folder, false);
        else this.#focus(rows.indexOf(rows.slice(0, at).reverse().find((above) => level(above) < level(row)) ?? row));
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** With numbers as people count: 2 before 10. */
const inOrder = new Intl.Collator(undefined, { numeric: true }).compare;

/** What puts a model together before its pieces. */
function byName(a: Candidate, b: Candidate): number {
  const piece = (path: string) => Number(!/\.qc$/i.test(path));
  return piece(a.path) - piece(b.path) || inOrder(split(a.path)[1], split(b.path)[1]);
}

function sorted<T>(list: T[], order: (a: T, b: T) => number): T[] {
  return [...list].sort(order);
}

/** The folders of all these, those in a row joined. */
function grow(candidates: Candidate[]): Folder {
  const make = (name: string, path: string): Folder => ({ name, path, folders: new Map(), models: [], count: 0 });
  const root = make('', '');
  for (const candidate of candidates) {
    let folder = root;
    folder.count++;
    let path = '';
    for (const name of split(candidate.path)[0].split(/[\\/]/).filter(Boolean)) {
      path = path ? `${path}/${name}` : name;
      let below = folder.folders.get(name);
      if (!below) folder.folders.set(name, (below = make(name, path)));
      folder = below;
      folder.count++;
    }
    folder.models.push(candidate);
  }
  const join = (folder: Folder): Folder => {
    let joined = folder;
    while (joined.models.length === 0 && joined.folders.size === 1) {
      const [only] = joined.folders.values();
      joined = { ...only!, name: `${joined.name}/${only!.name}` };
    }
    return { ...joined, folders: new Map([...joined.folders].map(([name, below]) => [name, join(below)])) };
  };
  return { ...root, folders: new Map([...root.folders].map(([name, below]) => [name, join(below)])) };
}

function isBelow(path: string, folder: string): boolean {
  return path.replace(/\\/g, '/').replace(/^\//, '').startsWith(`${folder}/`);
}

function split(path: string): [string, string] {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}
