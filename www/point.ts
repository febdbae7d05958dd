// In: buttons that stand for a joint, a mesh or a tag. Out: what the pressed one stands for is marked in the view.
import type { CheckSubject, Viewer } from './pkg/rigview.js';

export class Pointer {
  #pressed: HTMLElement | undefined;

  constructor(
    readonly viewer: Viewer,
    readonly changed: () => void,
  ) {}

  /** Lets the button mark its subject; a second press ends that, and so does a press of another. */
  bind(button: HTMLElement, subject: CheckSubject): void {
    button.setAttribute('aria-pressed', 'false');
    button.title = 'Show in the view';
    button.addEventListener('click', () => {
      const on = this.#pressed !== button;
      this.forget();
      const found = this.viewer.highlight(on ? subject : null);
      if (on && found) this.#press(button);
      this.changed();
    });
  }

  /** The view has let go of the mark: it shows something else now. */
  forget(): void {
    this.#pressed?.setAttribute('aria-pressed', 'false');
    this.#pressed = undefined;
  }

  /** Marks nothing. */
  clear(): void {
    this.forget();
    this.viewer.highlight(null);
  }

  #press(button: HTMLElement): void {
    button.setAttribute('aria-pressed', 'true');
    this.#pressed = button;
  }
}
