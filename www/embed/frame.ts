// In: attributes of `<rig-view>` as query parameters, and messages from the page around. Out: the element over the whole frame, and
// its events as messages.
import { RigView } from './module';
import type { RigViewElement } from './api';

/** What the page around may send: `{ rigview: 'play' }`, `{ rigview: 'seek', value: 1.5 }`, `{ rigview: 'set', name: 'clip', value: 'walk' }`. */
interface Message {
  rigview: 'play' | 'pause' | 'seek' | 'clip' | 'set';
  name?: string;
  value?: unknown;
}

const ATTRIBUTES = (RigView as unknown as { observedAttributes: string[] }).observedAttributes;
const EVENTS = ['load', 'progress', 'error', 'missing', 'play', 'pause', 'clip-end'] as const;

const sheet = new CSSStyleSheet();
sheet.replaceSync('html, body { height: 100%; margin: 0; background: transparent; overflow: hidden; } rig-view { width: 100%; height: 100%; aspect-ratio: auto; }');
document.adoptedStyleSheets = [sheet];

const view = document.createElement('rig-view') as RigViewElement;
for (const [name, value] of new URLSearchParams(location.search)) if (ATTRIBUTES.includes(name)) view.setAttribute(name, value);
// A frame is a picture of its own: the window around it does not tell when it is near.
if (!view.hasAttribute('loading')) view.setAttribute('loading', 'eager');
for (const type of EVENTS) {
  view.addEventListener(type, (event) => parent.postMessage({ rigview: type, detail: (event as CustomEvent<unknown>).detail ?? null }, '*'));
}
document.body.append(view);
if (view.alt) document.title = view.alt;

addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
  if (source !== parent || typeof data !== 'object' || data === null) return;
  const { rigview: what, name, value } = data;
  if (what === 'play') view.play();
  else if (what === 'pause') view.pause();
  else if (what === 'seek') view.seek(Number(value));
  else if (what === 'clip') view.clip = String(value ?? '');
  else if (what === 'set' && name !== undefined && ATTRIBUTES.includes(name)) {
    if (value === null || value === undefined || value === false) view.removeAttribute(name);
    else view.setAttribute(name, value === true ? '' : String(value));
  }
});
