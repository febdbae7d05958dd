// In: samples/index.json. Out: a gallery, and a sample's files on demand.
import type { Incoming } from './files';
import { byId, el } from './dom';
import { Progress } from './status';

export interface Sample {
  id: string;
  title: string;
  format: string;
  description: string;
  files: string[];
  open: string;
  clip?: string;
}

const base = new URL('./samples/', document.baseURI);

export async function listSamples(): Promise<Sample[]> {
  const response = await fetch(new URL('index.json', base));
  if (!response.ok) return [];
  return (await response.json()) as Sample[];
}

export async function fetchSample(sample: Sample): Promise<Incoming[]> {
  const progress = new Progress(sample.title);
  let done = 0;
  try {
    return await Promise.all(
      sample.files.map(async (path) => {
        const response = await fetch(new URL(path, base));
        // Some servers answer with a page of their own where there is no such file.
        const isThere = response.ok && !response.headers.get('content-type')?.startsWith('text/html');
        if (!isThere) throw new Error(`${path}: the server does not have it (${response.status} ${response.statusText})`);
        const file = new File([await response.blob()], path);
        progress.set(++done / sample.files.length);
        return { path, file };
      }),
    );
  } finally {
    progress.done();
  }
}

/** Addresses for a link: the model, and those of its files that it does not name itself. */
export function sampleSrc({ open, files }: Sample): string {
  const unnamed = files.filter((path) => path !== open && /\.(md5anim|md5camera|mtr|shader)$/.test(path));
  return [open, ...unnamed].map((path) => new URL(path, base).href).join(' ');
}

export function showGallery(samples: Sample[], then: (sample: Sample) => void): void {
  const dialog = byId<HTMLDialogElement>('samples');
  byId('samples-list').replaceChildren(
    ...samples.map((sample, index) => {
      const card = el(
        'button',
        // A dialog gives the focus to what asks for it.
        { type: 'button', class: 'card', autofocus: index === 0 },
        el('img', { src: new URL(`${sample.id}/poster.webp`, base).href, alt: '', loading: 'lazy', width: 480, height: 360 }),
        el('span', { class: 'card-title' }, sample.title, el('span', { class: 'chip' }, sample.format)),
        el('span', { class: 'card-text' }, sample.description),
      );
      card.addEventListener('click', () => {
        dialog.close();
        then(sample);
      });
      return card;
    }),
  );
}

/** Once the first model stands there is time for the pictures of the gallery. */
export function fetchPosters(): void {
  for (const image of byId('samples-list').querySelectorAll('img')) image.loading = 'eager';
}
