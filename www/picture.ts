// In: what is seen between the panels. Out: the same as a PNG file, with or without what is behind the model.
import type { Viewer } from './pkg/rigview.js';
import { byId, el } from './dom';
import { freeBox } from './frame';
import { say } from './status';

/** Adds the button and its switch below the switches of what is drawn. */
export function watchPicture(canvas: HTMLCanvasElement, viewer: Viewer, gridIsOn: () => boolean, wake: () => void): void {
  const clear = el('input', { type: 'checkbox', checked: true });
  const button = el('button', { type: 'button', title: 'Save as PNG what is seen between the panels' }, 'Save picture');
  button.addEventListener('click', () => {
    const picture = take(canvas, viewer, clear.checked, gridIsOn());
    wake();
    picture.toBlob((blob) => {
      if (blob) save(blob, `${byId('model-name').textContent!.replace(/[^\p{L}\p{N}_.-]+/gu, '-') || 'picture'}.png`);
      else say('The browser cannot make a picture of this size', 'error');
    });
  });
  byId('show').append(
    el('p', { class: 'picture' }, button, el('label', { class: 'switch', title: 'Only the model: no background and no grid' }, clear, el('span', {}, 'Transparent'))),
  );
}

function take(canvas: HTMLCanvasElement, viewer: Viewer, transparent: boolean, gridIsOn: boolean): HTMLCanvasElement {
  const box = freeBox();
  const place = canvas.getBoundingClientRect();
  const ratio = canvas.width / place.width;
  const picture = el('canvas', { width: Math.round((box.right - box.left) * ratio), height: Math.round((box.bottom - box.top) * ratio) });
  const context = picture.getContext('2d')!;
  if (!transparent) {
    const style = getComputedStyle(document.documentElement);
    const ground = context.createLinearGradient(0, 0, 0, picture.height);
    ground.addColorStop(0.4, style.getPropertyValue('--ground-high').trim());
    ground.addColorStop(1, style.getPropertyValue('--ground-low').trim());
    context.fillStyle = ground;
    context.fillRect(0, 0, picture.width, picture.height);
  }
  // What WebGL drew can be read only until the browser shows it.
  viewer.setShow('grid', gridIsOn && !transparent);
  viewer.invalidate();
  viewer.draw(performance.now());
  context.drawImage(canvas, (place.left - box.left) * ratio, (place.top - box.top) * ratio);
  viewer.setShow('grid', gridIsOn);
  return picture;
}

function save(blob: Blob, name: string): void {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
