// In: the colours of the style sheet. Out: the same colours in the picture.
import type { Viewer } from './pkg/rigview.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

export function watchTheme(viewer: Viewer, changed: () => void): void {
  const apply = () => {
    const style = getComputedStyle(document.documentElement);
    const numbers = (name: string) => new Float32Array(style.getPropertyValue(name).split(' ').map((part) => Number(part) / 255));
    const [grid, ink] = [numbers('--grid'), numbers('--ink')];
    viewer.setTheme(new Float32Array(4), grid, ink);
    changed();
  };
  dark.addEventListener('change', apply);
  apply();
}
