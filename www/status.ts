// In: what is going on. Out: a line for eyes and screen readers, and a bar for what takes longer than 300 ms.
import { byId } from './dom';

const line = byId('status');
const bar = byId('progress');
const fill = bar.firstElementChild as HTMLElement;

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Says something; it goes away by itself unless it is an error. */
export function say(text: string, kind: 'info' | 'error' = 'info'): void {
  clearTimeout(clearing);
  line.textContent = text;
  line.classList.toggle('error', kind === 'error');
  line.classList.toggle('shown', text !== '');
  if (text) clearing = setTimeout(() => line.classList.remove('shown'), kind === 'error' ? 12_000 : 3_500);
}

/** Work whose progress is shown. Several at once share the bar. */
export class Progress {
  static #running = new Set<Progress>();
  static #timer: ReturnType<typeof setTimeout> | undefined;

  #share = 0;

  constructor(readonly what: string) {
    if (Progress.#running.size === 0) Progress.#timer = setTimeout(() => Progress.#show(), 300);
    Progress.#running.add(this);
  }

  /** 0 to 1. */
  set(share: number): void {
    this.#share = Math.min(Math.max(share, 0), 1);
    if (!bar.hidden) Progress.#show();
  }

  done(): void {
    Progress.#running.delete(this);
    if (Progress.#running.size > 0) return;
    clearTimeout(Progress.#timer);
    bar.hidden = true;
  }

  static #show(): void {
    if (Progress.#running.size === 0) return;
    let sum = 0;
    for (const work of Progress.#running) sum += work.#share;
    const percent = Math.round((100 * sum) / Progress.#running.size);
    const [first] = Progress.#running;
    bar.hidden = false;
    bar.setAttribute('aria-valuenow', String(percent));
    bar.setAttribute('aria-valuetext', `${first!.what}: ${percent} %`);
    fill.style.width = `${Math.max(percent, 3)}%`;
  }
}
