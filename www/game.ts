// In: a model, or files that make none. Out: the panel that says what each game would make of them; a click points at the place.
import type { CheckFinding, Files, Model, Verdict } from './pkg/rigview.js';
import { byId, copyText, el, icon } from './dom';
import type { Pointer } from './point';
import { say } from './status';

const panel = byId<HTMLDetailsElement>('game');
const body = byId('game-body');
const badge = byId('game-badge');

const WORDS = { loads: 'loads', warns: 'loads, but', refused: 'refused' } as const;

export class Game {
  #ask: (() => Verdict[]) | undefined;
  #name = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly pointer: Pointer) {
    panel.addEventListener('toggle', () => this.#later());
  }

  show(model: Model, files: Files): void {
    this.#show(model.name, () => {
      const verdicts = model.check();
      if (verdicts[0]?.engine !== 'doom3') return verdicts;
      // A camera belongs to no model, and is judged by itself; here it stands beside the one that is shown.
      const cameras = files.checkable.filter((path) => /\.md5camera$/i.test(path) && path !== model.path);
      return joined([...verdicts, ...cameras.flatMap((path) => files.check(path))]);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#ask = undefined;
    panel.hidden = true;
  }

  /** What could not be shown can be judged all the same: the file with the fault, or all if none is a model's. */
  fail(files: Files, path: string | undefined): void {
    const checkable = files.checkable;
    const paths = path === undefined ? checkable : checkable.filter((known) => known === path);
    if (paths.length === 0) return;
    const verdicts = joined(paths.flatMap((known) => files.check(known)));
    this.#show(paths.length === 1 ? paths[0]! : `${paths.length} files`, () => verdicts);
  }

  #show(name: string, ask: () => Verdict[]): void {
    this.#name = name;
    this.#ask = ask;
    panel.hidden = true;
    this.#later();
  }

  /** The files are read once more for this, so that the picture comes first; and not for a panel that is shut. */
  #later(): void {
    clearTimeout(this.#timer);
    const isNew = panel.hidden;
    if (this.#ask && (isNew || panel.open)) this.#timer = setTimeout(() => this.#render(), isNew ? 250 : 0);
  }

  #render(): void {
    const ask = this.#ask;
    if (!ask) return;
    // A model that has been replaced since cannot be asked any more.
    this.#ask = undefined;
    const verdicts = ask();
    panel.hidden = verdicts.length === 0;
    // The first engine is the one that the files are made for; that another does not take them is no fault.
    const own = verdicts[0]?.verdict ?? 'loads';
    badge.hidden = own === 'loads';
    badge.textContent = WORDS[own];
    badge.classList.toggle('error', own === 'refused');
    const sections = verdicts.map((verdict, index) => this.#section(verdict, index === 0));
    // The report beside it may be about files that could not be shown.
    const about = el('p', { class: 'fine about' }, this.#name);
    body.replaceChildren(about, ...sections, this.#exports(verdicts));
  }

  #section({ name, engine, verdict, findings, leftOut }: Verdict, isOwn: boolean): HTMLElement {
    const rules = new Map<string, CheckFinding[]>();
    for (const finding of findings) rules.set(finding.rule, [...(rules.get(finding.rule) ?? []), finding]);
    const rows = [...rules.values()].map((of) => this.#rule(of));
    return el(
      'details',
      { class: 'verdict', 'data-engine': engine, open: isOwn && verdict !== 'loads' },
      el('summary', {}, el('span', { class: 'name' }, name), el('span', { class: `chip ${verdict}` }, WORDS[verdict])),
      rows.length > 0 ? el('ul', { class: 'findings' }, ...rows) : el('p', { class: 'fine' }, 'Nothing that its rules know of.'),
      leftOut > 0 && el('p', { class: 'faint' }, `and ${leftOut} more`),
    );
  }

  /** A rule once, with every place where it holds. */
  #rule(findings: CheckFinding[]): HTMLElement {
    const { severity, says, why, mend, rule, since } = findings[0]!;
    const kind = severity === 'refuses' ? 'error' : severity === 'notes' ? 'note' : 'warning';
    return el(
      'li',
      { class: `finding ${kind}`, title: rule },
      el('span', { class: 'severity' }, severity),
      says !== undefined && el('q', { class: 'says' }, says),
      el('span', { class: 'engine' }, since === undefined ? why : `${why} (${since})`),
      ...findings.map((finding) => this.#place(finding)),
      el('span', { class: 'engine' }, `Mend: ${mend}`),
    );
  }

  #place(finding: CheckFinding): HTMLElement {
    const text = [el('span', { class: 'path' }, placeOf(finding)), el('span', { class: 'message' }, finding.message)];
    const { subject } = finding;
    if (!subject || (subject.joint ?? subject.mesh ?? subject.tag) === undefined) return el('span', { class: 'place' }, ...text);
    const button = el('button', { type: 'button', class: 'place' }, ...text);
    this.pointer.bind(button, subject);
    return button;
  }

  #exports(verdicts: Verdict[]): HTMLElement {
    const button = (title: string, symbol: string, action: () => void) => {
      const made = el('button', { type: 'button', class: 'small' }, icon(symbol), el('span', {}, title));
      made.addEventListener('click', action);
      return made;
    };
    const name = this.#name;
    const copy = async (text: string) => say((await copyText(text)) ? 'Copied' : 'The browser does not allow copying here');
    return el(
      'p',
      { class: 'exports' },
      button('Text', 'copy', () => void copy(asText(name, verdicts))),
      button('Markdown', 'copy', () => void copy(asMarkdown(name, verdicts))),
      button('JSON', 'file', () => download(`${name.replace(/[^\w.-]+/g, '_')}.check.json`, JSON.stringify(verdicts, null, 2))),
    );
  }
}

/** The verdicts of several files as one of each engine: the gravest, with everything that was found. */
function joined(verdicts: Verdict[]): Verdict[] {
  const rank = { loads: 0, warns: 1, refused: 2 };
  const severities = ['refuses', 'changes', 'warns', 'notes'];
  const byEngine = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    const known = byEngine.get(verdict.engine);
    if (!known) byEngine.set(verdict.engine, verdict);
    else {
      const findings = [...known.findings, ...verdict.findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
      const graver = rank[verdict.verdict] > rank[known.verdict] ? verdict : known;
      byEngine.set(verdict.engine, { ...graver, findings, leftOut: known.leftOut + verdict.leftOut });
    }
  }
  return [...byEngine.values()];
}

/** `a.md3, byte 244, surface[0]` */
function placeOf({ file, line, column, byte, place }: CheckFinding): string {
  const at = line !== undefined ? `:${line}:${column}` : byte !== undefined ? ` byte ${byte}` : '';
  return `${file}${at}${place ? ` ${place}` : ''}`;
}

function asText(name: string, verdicts: Verdict[]): string {
  return verdicts
    .flatMap((verdict) => [
      `${name}: ${verdict.name}: ${WORDS[verdict.verdict]}`,
      ...verdict.findings.flatMap((finding) => [
        `  ${finding.severity}: ${placeOf(finding)}: ${finding.message} [${finding.rule}]`,
        ...(finding.says === undefined ? [] : [`    says: ${finding.says}`]),
        `    ${finding.why}`,
        `    mend: ${finding.mend}`,
      ]),
      ...(verdict.leftOut > 0 ? [`  and ${verdict.leftOut} more`] : []),
    ])
    .join('\n');
}

function asMarkdown(name: string, verdicts: Verdict[]): string {
  // What files say must not become markup.
  const code = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``;
  return [
    `## ${code(name)} in the game`,
    ...verdicts.flatMap((verdict) => [
      '',
      `### ${verdict.name}: ${WORDS[verdict.verdict]}`,
      '',
      ...verdict.findings.map(
        (finding) =>
          `- **${finding.severity}** ${code(placeOf(finding))}: ${code(finding.message)}${finding.says === undefined ? '' : ` — ${code(finding.says)}`}. ${finding.why} *${finding.mend}* (${finding.rule})`,
      ),
      ...(verdict.leftOut > 0 ? ['', `and ${verdict.leftOut} more`] : []),
    ]),
  ].join('\n');
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
