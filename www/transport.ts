// In: the clock of a viewer. Out: the bar below the model: play, frames, time, speed.
import type { Viewer } from './pkg/rigview.js';
import { trim } from './clips';
import { byId, el, icon } from './dom';

/** What the bar runs through: a clip, or a camera's path. */
export interface Timed {
  frames: number;
  rate: number;
  loops: boolean;
  marks: { seconds: number; text: string }[];
}

const bar = byId('transport');
const playButton = byId<HTMLButtonElement>('play');
const loopButton = byId<HTMLButtonElement>('loop');
const scrub = byId<HTMLInputElement>('scrub');
const frameNow = byId('frame-now');
const secondsNow = byId('seconds-now');
const speed = byId<HTMLSelectElement>('speed');
const fps = byId<HTMLInputElement>('fps');
const marks = byId('marks');

export class Transport {
  #clip: Timed | undefined;
  #wasPlaying: boolean | undefined;
  #scrubbing = false;

  constructor(
    readonly viewer: Viewer,
    readonly wake: () => void,
  ) {
    playButton.addEventListener('click', () => this.toggle());
    byId('step-back').addEventListener('click', () => this.step(-1));
    byId('step-forward').addEventListener('click', () => this.step(1));
    loopButton.addEventListener('click', () => this.toggleLoop());
    scrub.addEventListener('input', () => {
      this.viewer.pause();
      this.#seek(scrub.valueAsNumber);
    });
    scrub.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.step(by);
    });
    scrub.addEventListener('pointerdown', () => (this.#scrubbing = true));
    addEventListener('pointerup', () => (this.#scrubbing = false));
    speed.addEventListener('change', () => this.#setSpeed(Number(speed.value)));
    fps.addEventListener('change', () => {
      if (this.#clip && fps.valueAsNumber > 0) this.#setSpeed((fps.valueAsNumber / this.#clip.rate) * (this.viewer.speed < 0 ? -1 : 1));
      else this.#showSpeed();
    });
  }

  /** Another clip leads: the longest of those that play. */
  show(clip: Timed | undefined): void {
    this.#clip = clip;
    bar.hidden = !clip;
    document.body.classList.toggle('has-clip', !bar.hidden);
    if (!clip) return;
    const still = clip.frames < 2;
    for (const control of bar.querySelectorAll<HTMLButtonElement>('button, input')) control.disabled = still;
    scrub.max = String(this.viewer.duration || 1);
    loopButton.setAttribute('aria-pressed', String(this.#loops));
    marks.replaceChildren(
      ...clip.marks.map(({ seconds, text }) => {
        const mark = el('span', { class: 'mark', title: text });
        mark.style.left = `${(100 * seconds) / (this.viewer.duration || 1)}%`;
        return mark;
      }),
    );
    this.#showSpeed();
    this.update();
  }

  toggle(): void {
    if (!this.#clip) return;
    if (this.viewer.playing) this.viewer.pause();
    else this.viewer.play();
    this.update();
    this.wake();
  }

  toggleLoop(): void {
    this.viewer.loops = !this.#loops;
    loopButton.setAttribute('aria-pressed', String(this.#loops));
    this.update();
    this.wake();
  }

  /** Another model plays at its own speed. */
  reset(): void {
    this.#setSpeed(1);
  }

  /** Stops, and goes on by whole frames. */
  step(by: number): void {
    const clip = this.#clip;
    if (!clip || clip.frames < 2) return;
    this.viewer.pause();
    const last = Math.round(this.viewer.duration * clip.rate);
    const at = this.#seconds * clip.rate;
    // Between two frames, one step goes to the nearer one in its direction.
    let frame = by > 0 ? Math.floor(at + 1e-3) + by : Math.ceil(at - 1e-3) + by;
    if (this.#loops) frame = ((frame % last) + last) % last;
    this.#seek(Math.min(Math.max(frame, 0), last) / clip.rate);
  }

  /** After a picture: shows where the clock stands. */
  update(): void {
    const { viewer } = this;
    const playing = viewer.playing;
    if (playing !== this.#wasPlaying) {
      this.#wasPlaying = playing;
      playButton.replaceChildren(icon(playing ? 'pause' : 'play'));
      playButton.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    }
    const clip = this.#clip;
    if (!clip) return;
    const [seconds, duration] = [this.#seconds, viewer.duration];
    const count = String(clip.frames - 1);
    const shown = this.#frames(clip, seconds * clip.rate, playing);
    frameNow.textContent = clip.frames < 2 ? 'still' : `${shown} / ${count}`;
    secondsNow.textContent = `${seconds.toFixed(2)} s`;
    if (!this.#scrubbing || !playing) scrub.value = String(seconds);
    scrub.style.setProperty('--done', `${duration > 0 ? (100 * seconds) / duration : 0}%`);
    scrub.setAttribute('aria-valuetext', `frame ${shown} of ${count}, ${seconds.toFixed(2)} seconds`);
  }

  /** One frame, or the two that are blended, as "5–6". */
  #frames({ frames }: Timed, at: number, playing: boolean): string {
    // Where the last frame leads back to the first, the end is the beginning; elsewhere it stays for as long as a frame lasts.
    const bounded = (frame: number) => (frame < frames ? frame : this.#loops ? frame - frames : frames - 1);
    const nearest = Math.round(at);
    if (Math.abs(at - nearest) < 0.05) return String(bounded(nearest));
    const [from, to] = [bounded(Math.floor(at)), bounded(Math.floor(at) + 1)];
    return playing || from === to ? String(from) : `${from}–${to}`;
  }

  get #loops(): boolean {
    return this.viewer.loops ?? this.#clip?.loops ?? true;
  }

  /** Within one round of the clip. */
  get #seconds(): number {
    const { seconds, duration } = this.viewer;
    if (duration <= 0) return 0;
    if (seconds >= 0 && seconds <= duration) return seconds;
    return this.#loops ? ((seconds % duration) + duration) % duration : Math.min(Math.max(seconds, 0), duration);
  }

  #seek(seconds: number): void {
    this.viewer.seek(seconds);
    this.update();
    this.wake();
  }

  #setSpeed(value: number): void {
    this.viewer.speed = value;
    this.#showSpeed();
    this.wake();
  }

  #showSpeed(): void {
    const value = this.viewer.speed;
    const known = [...speed.options].find((option) => option.value !== 'custom' && Math.abs(Number(option.value) - value) < 1e-4);
    const custom = speed.querySelector<HTMLOptionElement>('[value=custom]')!;
    custom.hidden = known !== undefined;
    custom.textContent = `${trim(value)}×`;
    speed.value = known?.value ?? 'custom';
    if (!this.#clip) return;
    fps.value = trim(this.#clip.rate * Math.abs(value));
    fps.title = `Frames a second; the clip’s own rate is ${trim(this.#clip.rate)}`;
  }
}
