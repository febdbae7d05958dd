// In: what is shown and where it came from. Out: a link to it, markup for other people's pages, and one .html file that holds it all.
import type { Files, Model, Viewer } from './pkg/rigview.js';
import { byId, copyText, el } from './dom';
import { describe, type Linked } from './link';
import { saveSingleFile } from './single';
import { say } from './status';

export interface Shared {
  viewer: Viewer;
  model: Model;
  files: Files;
  variant: string | undefined;
  /** Addresses of the model's files, or nothing where they are the reader's own. */
  src: string | undefined;
}

const dialog = byId<HTMLDialogElement>('share');
const kind = byId<HTMLSelectElement>('share-kind');
const text = byId<HTMLTextAreaElement>('share-text');

const SNIPPETS: Record<string, { title: string; make: (link: Linked, name: string) => string }> = {
  link: { title: 'Link to this page', make: (link) => address('./', link) },
  element: { title: 'HTML: the element', make: element },
  iframe: { title: 'HTML: an iframe', make: (link, name) => `<iframe src="${html(address('embed.html', { ...link, controls: '' }))}" title="${html(name)}" width="480" height="360" allow="fullscreen" loading="lazy"></iframe>` },
  mediawiki: { title: 'MediaWiki, with the widget', make: (link, name) => `{{#widget:Rigview|${entries({ ...link, alt: name }).map(([key, value]) => `${key}=${value.replace(/[|{}]/g, (letter) => `&#${letter.charCodeAt(0)};`)}`).join('|')}}}` },
  dokuwiki: { title: 'DokuWiki, with the plugin', make: ({ src, ...link }, name) => `{{rigview>${wikiSrc(src!)} ? ${new URLSearchParams(link).toString().replace(/[{}|]/g, encodeURIComponent)} | ${name.replace(/[{}|]/g, '')}}}` },
  markdown: { title: 'Markdown', make: (link, name) => `[${name.replace(/[[\]\\]/g, '\\$&')} in 3D](<${address('./', link)}>)` },
};

/** Wires the dialog up; `now` tells what is shown when it opens. */
export function watchShare(now: () => Shared | undefined): void {
  kind.replaceChildren(...Object.entries(SNIPPETS).map(([value, { title }]) => el('option', { value }, title)));
  const show = () => {
    const shared = now();
    if (!shared) return;
    const { viewer, model, variant, src } = shared;
    const link = { src: src ?? placeholder(model.path), ...describe(viewer, model, variant) };
    text.value = SNIPPETS[kind.value]!.make(link, model.name);
    byId('share-note').hidden = src !== undefined;
  };
  byId('open-share').addEventListener('click', () => {
    show();
    dialog.showModal();
  });
  kind.addEventListener('change', show);
  byId('share-copy').addEventListener('click', async () => {
    text.select();
    say((await copyText(text.value)) ? 'Copied' : 'Press Ctrl+C to copy it');
  });
  byId('share-file').addEventListener('click', async () => {
    const shared = now();
    if (!shared) return;
    try {
      await saveSingleFile(shared.model, shared.files, describe(shared.viewer, shared.model, shared.variant));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'error');
    }
  });
}

/** Where the reader's own files would lie, folders and all. */
function placeholder(path: string): string {
  return `https://your.site/${path.split(/[\\/]/).filter(Boolean).map(encodeURIComponent).join('/')}`;
}

/** Files as the plugin reads them: parted by one blank each, without the letters that mean something there. */
function wikiSrc(src: string): string {
  return src.split(/[\s,]+/).filter(Boolean).join(' ').replace(/[{}|]/g, encodeURIComponent);
}

function element(link: Linked, name: string): string {
  const script = new URL('package/rigview.js', document.baseURI).href;
  const attributes = entries({ ...link, alt: name }).map(([key, value]) => `${key}="${html(value)}"`);
  return `<script type="module" src="${html(script)}"></script>\n<rig-view ${attributes.join(' ')} controls></rig-view>`;
}

function address(page: string, link: Linked): string {
  const url = new URL(page, document.baseURI);
  url.hash = '';
  url.search = new URLSearchParams(link).toString();
  return url.href;
}

function entries(link: Linked): [string, string][] {
  return Object.entries(link).filter(([, value]) => value !== '');
}

export function html(value: string): string {
  return value.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
