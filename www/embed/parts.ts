// In: a shadow root. Out: what is inside the element. Text from files only ever becomes text.
import { el } from '../dom';
import { style } from './style';

const PLAY = 'M6 3.8v12.4a.6.6 0 0 0 .92.5l9.6-6.2a.6.6 0 0 0 0-1L6.92 3.3A.6.6 0 0 0 6 3.8Z';
const PAUSE = 'M5 3.5h3.4v13H5zM11.6 3.5H15v13h-3.4z';

export type Parts = ReturnType<typeof build>;

export function build(root: ShadowRoot) {
  style(root);
  const canvas = el('canvas', { part: 'canvas', role: 'img', tabindex: 0, 'aria-roledescription': '3D model', 'aria-describedby': 'how' });
  canvas.width = canvas.height = 1;
  const how = el('p', { id: 'how', class: 'aside' }, 'Arrow keys turn it, Shift and arrow keys move it, plus and minus zoom, F brings all of it into view, space plays or pauses.');
  const facts = el('p', { class: 'aside', role: 'status', 'aria-live': 'polite' });
  const poster = el('img', { part: 'poster', class: 'poster', alt: '' });
  const reveal = el('button', { part: 'reveal', class: 'reveal', type: 'button', 'aria-label': 'Show the model', hidden: true }, drawing(PLAY));
  const progress = el('progress', { part: 'progress', class: 'progress', max: 1, value: 0, 'aria-label': 'Loading the model', hidden: true });
  const hint = el('p', { part: 'hint', class: 'hint', 'aria-hidden': true });
  const play = el('button', { part: 'play', type: 'button' });
  const scrub = el('input', { part: 'scrub', type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time in the clip' });
  const clips = el('select', { part: 'clips', 'aria-label': 'Clip', hidden: true });
  const variants = el('select', { part: 'variants', 'aria-label': 'Skin', hidden: true });
  const controls = el('div', { part: 'controls', class: 'controls', role: 'group', 'aria-label': 'Animation', hidden: true }, play, scrub, clips, variants);
  const missing = el('div', { part: 'missing', class: 'missing', role: 'note', hidden: true });
  const error = el('div', { part: 'error', class: 'error', role: 'alert', hidden: true });
  const posterSlot = el('slot', { name: 'poster' }, poster);
  const controlsSlot = el('slot', { name: 'controls' }, controls);
  const errorSlot = el('slot', { name: 'error', hidden: true }, error);
  root.append(canvas, how, posterSlot, reveal, hint, missing, controlsSlot, progress, errorSlot, facts);
  setPlaying(play, false);
  return { canvas, facts, poster, reveal, progress, hint, play, scrub, clips, variants, controls, missing, error, errorSlot };
}

export function setPlaying(play: HTMLButtonElement, playing: boolean): void {
  play.replaceChildren(drawing(playing ? PAUSE : PLAY));
  play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
}

export function options(select: HTMLSelectElement, names: string[], chosen: string | undefined): void {
  select.replaceChildren(...names.map((name) => el('option', { value: name, selected: name === chosen }, name)));
}

/** What went wrong, as a card; a fault that may pass has a button to try again. */
export function showError(error: HTMLElement, title: string, message: string, again: (() => void) | undefined): void {
  const button = again && el('button', { type: 'button', part: 'retry' }, 'Try again');
  button?.addEventListener('click', () => again!());
  error.replaceChildren(el('strong', {}, title), ...message.split('\n').map((line) => el('p', {}, line)), ...(button ? [button] : []));
}

export function showMissing(missing: HTMLElement, names: string[]): void {
  const close = el('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => (missing.hidden = true));
  const shown = names.slice(0, 12).map((name) => el('li', {}, name));
  if (names.length > shown.length) shown.push(el('li', {}, `and ${names.length - shown.length} more`));
  missing.replaceChildren(el('p', {}, names.length === 1 ? 'One file is missing:' : `${names.length} files are missing:`), el('ul', {}, ...shown), close);
}

function drawing(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
