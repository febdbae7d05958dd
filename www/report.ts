// In: findings, and images that were not found or cannot be read. Out: the report panel, errors first; a click copies.
import type { Diagnostic, Model } from './pkg/rigview.js';
import type { GameNote, ImageProblem } from './images';
import { byId, copyText, el, icon } from './dom';
import { say } from './status';

const panel = byId<HTMLDetailsElement>('report');
const body = byId('report-body');

/** One line each is enough for the eye; the rest can be copied. */
const MOST_ROWS = 200;

/** A file that is not there. */
interface Missing {
  name: string;
  /** Materials that want it, and as what. */
  materials: string[];
  slots: string[];
  tried: string[];
  unread?: string;
  /** What is shown now wears it; otherwise another skin or body does. */
  shown: boolean;
}

export class Report {
  /** The error that kept the last files from being shown. */
  #failure: { message: string; diagnostics: Diagnostic[] } | undefined;
  #model: Model | undefined;
  #missing: Missing[] = [];
  #unused: string[] = [];

  constructor(
    readonly problems: ReadonlyMap<string, ImageProblem>,
    readonly notes: ReadonlyMap<string, GameNote>,
    /** Images on their way. */
    readonly loading: () => { done: number; total: number } | undefined,
    /** Images that were dropped and that nothing shows. */
    readonly unused: () => string[],
  ) {}

  show(model: Model): void {
    this.#failure = undefined;
    this.#model = model;
    this.wear();
  }

  /** Something else is worn, or other images are there. */
  wear(): void {
    this.#missing = this.#model ? missingImages(this.#model) : [];
    this.#unused = this.unused();
    this.render();
  }

  clear(): void {
    this.#failure = undefined;
    this.#model = undefined;
    this.wear();
  }

  fail(message: string, diagnostics: Diagnostic[]): void {
    this.#failure = { message, diagnostics };
    panel.open = true;
    this.render();
  }

  render(): void {
    const failure = this.#failure;
    const report = this.#model?.report.toJSON();
    const [missing, unused] = [this.#missing, this.#unused];
    const findings: { severity: string; message: string }[] = [
      ...(failure ? (failure.diagnostics.length > 0 ? failure.diagnostics : [{ severity: 'error', message: failure.message }]) : []),
      // Missing images have a list of their own.
      ...(report?.diagnostics ?? []).filter((finding) => missing.length === 0 || !saysMissing(finding)),
      ...this.problems.values(),
    ];
    const said = new Set<string>();
    // A failure may say what the report of the model says too.
    const once = findings.filter(({ message }) => !said.has(message) && said.add(message));
    const errors = once.filter((finding) => finding.severity === 'error');
    const warnings = once.filter((finding) => finding.severity !== 'error');

    this.#badge(errors.length, warnings.length + missing.length);
    const parts: HTMLElement[] = [];
    if (failure) parts.push(el('p', { class: 'failure', role: 'alert' }, this.#model ? 'These files could not be shown. The model before them still is.' : 'These files could not be shown.'));
    const rows = [...errors, ...warnings].slice(0, MOST_ROWS).map(row);
    if (rows.length > 0) parts.push(el('ul', { class: 'findings' }, ...rows));
    const more = once.length - rows.length + (report?.leftOut ?? 0);
    if (more > 0) parts.push(el('p', { class: 'faint' }, `and ${more} more`));
    if (missing.length > 0) parts.push(missingList(missing));
    const notes = [...this.notes.values()].filter(({ note }) => concerns(note, this.#model?.format ?? ''));
    notes.push(...guesses(this.#model));
    if (unused.length > 0) notes.push({ note: `no material of this model names ${unused.length > 1 ? 'them' : 'it'}`, paths: unused });
    if (notes.length > 0) parts.push(el('ul', { class: 'findings' }, ...notes.map(noteRow)));
    const loading = this.loading();
    if (loading) parts.push(el('p', { class: 'fine' }, `Textures ${loading.done}/${loading.total}`));
    else if (parts.length === 0) parts.push(el('p', { class: 'fine' }, this.#model ? 'No problems found.' : 'Nothing is open.'));
    if (once.length > 1) {
      const text = [...errors, ...warnings].map((finding) => `${finding.severity}: ${finding.message}`).join('\n');
      parts.push(copyButton('Copy all findings', text));
    }
    body.replaceChildren(...parts);
  }

  #badge(errors: number, warnings: number): void {
    for (const badge of [byId('report-badge'), byId('panels-badge')]) {
      badge.hidden = errors + warnings === 0;
      badge.textContent = String(errors || warnings);
      badge.classList.toggle('error', errors > 0);
    }
    byId('report-badge').title = `${errors} errors, ${warnings} warnings`;
  }
}

function row({ severity, message }: { severity: string; message: string }): HTMLElement {
  const [first, ...rest] = message.split('\n');
  const button = el(
    'button',
    { type: 'button', class: `finding ${severity}`, title: 'Copy' },
    el('span', { class: 'severity' }, severity),
    el('span', { class: 'message' }, first ?? ''),
    rest.length > 0 && el('span', { class: 'engine' }, rest.join(' ').trim()),
  );
  button.addEventListener('click', () => void copy(message));
  return el('li', {}, button);
}

/** The warning about one material's images, or about those of many. */
function saysMissing({ place, expected }: Diagnostic): boolean {
  return (place === 'materials' || place.startsWith('material `')) && /^(the .* image `|images for )/.test(expected);
}

/** Each file once, those that are shown first. */
function missingImages(model: Model): Missing[] {
  const list = new Map<string, Missing>();
  for (const { name: material, images, worn, shown } of model.materials) {
    if (!worn && !shown) continue;
    for (const { slot, files, unread } of images) {
      for (const { name, path, tried } of files) {
        if (path !== undefined) continue;
        const known = list.get(name.toLowerCase()) ?? { name, materials: [], slots: [], tried, ...(unread !== undefined && { unread }), shown: false };
        list.set(name.toLowerCase(), known);
        known.shown ||= shown;
        if (!known.materials.includes(material)) known.materials.push(material);
        if (!known.slots.includes(slot)) known.slots.push(slot);
      }
    }
  }
  const all = [...list.values()];
  return [...all.filter(({ shown }) => shown), ...all.filter(({ shown }) => !shown)];
}

function missingList(missing: Missing[]): HTMLElement {
  const others = missing.filter(({ shown }) => !shown);
  const worn = missing.filter(({ shown }) => shown);
  const text = missing.map(({ name, materials, tried }) => `${name || materials[0]!}\n${tried.map((path) => `  ${path}`).join('\n')}`).join('\n');
  return el(
    'section',
    { class: 'missing-list' },
    worn.length > 0 && el('h3', {}, worn.length === 1 ? '1 missing texture' : `${worn.length} missing textures`),
    ...worn.map(missingRow),
    others.length > 0 && el('h3', {}, `${others.length}${worn.length > 0 ? ' more' : ' missing'} that other skins or bodies wear`),
    ...others.map(missingRow),
    copyButton('Copy all missing textures', text),
  );
}

function missingRow({ name, materials, slots, tried, unread }: Missing): HTMLElement {
  const of = materials.map((material) => material || '(no name)');
  return el(
    'details',
    { class: 'missing' },
    el('summary', {}, el('span', { class: 'name' }, name || materials[0]!), el('span', { class: 'aside' }, slots.join(', '))),
    unread !== undefined && el('p', {}, `There is ${unread}, in Valve’s own format, which Rigview does not read. Export it as .tga or .png.`),
    el('p', { class: 'faint' }, `Material${of.length > 1 ? 's' : ''} ${some(of)}. Looked for:`),
    el('ul', { class: 'paths' }, ...tried.map((path) => el('li', {}, path))),
  );
}

function some(list: string[], most = 8): string {
  return list.length > most ? `${list.slice(0, most).join(', ')} and ${list.length - most} more` : list.join(', ');
}

/** Whether the note is about the game that the model is for. */
function concerns(note: string, format: string): boolean {
  const game = format.startsWith('MD5') ? 'Doom 3' : /MD3|Quake/.test(format) ? 'Quake III' : 'Half-Life';
  return note.includes(game);
}

/** What is shown in a look that no script and no name of an image gives it: one note for each kind of guess. */
function guesses(model: Model | undefined): GameNote[] {
  const kinds = new Map<string, string[]>();
  for (const { name, source, shown } of model?.materials ?? []) {
    const guess = /a guess.*/.exec(source)?.[0];
    if (shown && guess !== undefined) kinds.set(guess, [...(kinds.get(guess) ?? []), name || 'a material without a name']);
  }
  return [...kinds].map(([guess, paths]) => ({ note: `dressed by ${guess}`, paths: [...new Set(paths)] }));
}

function noteRow({ note, paths }: GameNote): HTMLElement {
  const of = paths.length === 1 ? paths[0]! : `${paths[0]!} and ${paths.length - 1} more`;
  return row({ severity: 'note', message: `${of}: ${note}.${paths.length > 1 ? `\n${paths.join(', ')}` : ''}` });
}

function copyButton(title: string, text: string): HTMLElement {
  const button = el('button', { type: 'button', class: 'small' }, icon('copy'), el('span', {}, title));
  button.addEventListener('click', () => void copy(text));
  return button;
}

async function copy(text: string): Promise<void> {
  say((await copyText(text)) ? 'Copied' : 'The browser does not allow copying here', 'info');
}
