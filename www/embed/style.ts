// In: nothing. Out: the element's style, as a sheet that strict Content-Security-Policies let through.

const CSS = `
:host { display: block; position: relative; width: 100%; aspect-ratio: 4 / 3; overflow: hidden; contain: content; color-scheme: light dark;
  --accent: var(--rig-accent, #c8641e); --on-accent: var(--rig-on-accent, #fff);
  --surface: var(--rig-surface, Canvas); --text: var(--rig-text, CanvasText);
  font: 14px/1.4 var(--rig-font, system-ui, sans-serif); background: var(--rig-background, transparent); color: var(--text); }
:host([hidden]) { display: none; }
canvas { display: block; width: 100%; height: 100%; touch-action: pan-y; cursor: grab; outline: none; opacity: 0; }
canvas:active { cursor: grabbing; }
:host([data-state=shown]) canvas { opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.poster, slot[name=poster]::slotted(*) { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; pointer-events: none; }
:host([data-state=shown]) .poster, :host([data-state=shown]) slot[name=poster]::slotted(*), .poster:not([src]) { display: none; }
[hidden] { display: none !important; }
.progress { position: absolute; inset: auto 0 0 0; height: 3px; opacity: 0; transition: opacity .2s .3s; pointer-events: none; appearance: none; width: 100%; border: 0; background: transparent; }
.progress::-webkit-progress-bar { background: transparent; }
.progress::-webkit-progress-value { background: var(--accent); }
.progress::-moz-progress-bar { background: var(--accent); }
:host([data-state=loading]) .progress { opacity: 1; }
.reveal { position: absolute; inset: 0; margin: auto; width: 64px; height: 64px; border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent); cursor: pointer; padding: 0; }
.reveal svg { width: 28px; height: 28px; fill: currentColor; vertical-align: middle; }
.controls { position: absolute; inset: auto 0 0 0; display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 6px 8px;
  background: var(--surface); background: color-mix(in srgb, var(--surface) 84%, transparent); }
.controls button { border: 0; background: none; color: inherit; padding: 5px; cursor: pointer; border-radius: 4px; width: 28px; height: 28px; }
.controls svg { width: 18px; height: 18px; fill: currentColor; display: block; }
.controls input { flex: 1 1 60px; min-width: 40px; accent-color: var(--accent); margin: 0; }
.controls select { max-width: 38%; font: inherit; font-size: 13px; color: inherit; background: var(--surface); border: 1px solid color-mix(in srgb, var(--text) 30%, transparent); border-radius: 4px; padding: 2px; }
.hint { position: absolute; inset: auto 0 50% 0; margin: 0 auto; width: fit-content; max-width: 90%; padding: 4px 10px; border-radius: 4px; background: var(--text); background: color-mix(in srgb, var(--text) 80%, transparent); color: var(--surface); pointer-events: none; opacity: 0; transition: opacity .2s; }
.hint.shown { opacity: 1; }
.error, .missing { position: absolute; inset: 0 0 auto 0; padding: 10px 12px; background: var(--surface); background: color-mix(in srgb, var(--surface) 90%, transparent); overflow: auto; max-height: 100%; box-sizing: border-box; font-size: 13px; }
.error { inset: 0; display: grid; align-content: center; justify-items: start; gap: 6px; background: var(--surface); border: 1px solid color-mix(in srgb, var(--text) 30%, transparent); }
.error strong { color: var(--accent); }
.error p, .missing p { margin: 0; overflow-wrap: anywhere; }
.error button, .missing button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 4px; padding: 2px 10px; cursor: pointer; }
.missing ul { margin: 4px 0; padding-left: 18px; }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { .reveal, .controls { border: 1px solid ButtonText; } }
`;

let sheet: CSSStyleSheet | undefined;

export function style(root: ShadowRoot): void {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(CSS);
    }
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox before 101 has no such sheets.
    const element = document.createElement('style');
    element.textContent = CSS;
    root.append(element);
  }
}
