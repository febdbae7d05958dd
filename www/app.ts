// In: a browser that has all that is needed. Out: the viewer, wired up.
import { Viewer, version, type Files, type Model } from './pkg/rigview.js';
import { watchCamera } from './camera';
import { Cameras } from './cameras';
import { Clips } from './clips';
import { byId, el, isTyping } from './dom';
import { showFacts } from './facts';
import { Frame } from './frame';
import { fromInput, watchDrops, type Incoming } from './files';
import { Game } from './game';
import { Images } from './images';
import { kinds } from './kinds';
import { Labels } from './labels';
import { fetchLinked, follow, linked, type Linked } from './link';
import { Look } from './look';
import { Loop } from './loop';
import { Models } from './models';
import { watchPicture } from './picture';
import { Pointer } from './point';
import { Report } from './report';
import { fetchPosters, fetchSample, listSamples, sampleSrc, showGallery, type Sample } from './samples';
import { Session, type Shown } from './session';
import { watchShare } from './share';
import { Show } from './show';
import { say } from './status';
import { watchTheme } from './theme';
import { Transport } from './transport';
import { compile, load } from './wasm';

export async function start(): Promise<void> {
  const samples = listSamples().catch((): Sample[] => []);
  const module = await compile();
  await load(module);

  const canvas = byId<HTMLCanvasElement>('canvas');
  let viewer: Viewer;
  try {
    viewer = new Viewer(canvas);
  } catch (error) {
    say(`Rigview cannot draw here: ${error instanceof Error ? error.message : String(error)}.`, 'error');
    return;
  }
  const loop = new Loop(viewer, canvas);
  const frame = new Frame(viewer, loop);
  const wake = () => loop.wake();

  const retime = () => {
    transport.show(cameras.timed ?? clips.timed);
    wake();
  };
  const clips = new Clips(viewer, retime);
  const cameras = new Cameras(viewer, retime);
  const transport = new Transport(viewer, wake);
  const labels = new Labels(viewer);
  const show = new Show(viewer, wake);
  const images = new Images(viewer, module, () => {
    report.render();
    wake();
  });
  const report = new Report(images.problems, images.notes, () => images.loading, () => session.unused);
  const pointer = new Pointer(viewer, wake);
  const game = new Game(pointer);
  const look = new Look(viewer, () => {
    // Other meshes may be worn now, counted anew.
    pointer.clear();
    if (session.model) showFacts(session.model, viewer, pointer);
    report.wear();
    wake();
  });
  let startClip: string | undefined;
  const session = new Session(
    (shown) => present(shown),
    (message, diagnostics, files) => {
      report.fail(message, diagnostics);
      // Where no file is to blame, none is named.
      const culprit = diagnostics.find(({ severity }) => severity === 'error')?.file || undefined;
      if (files) game.fail(files, culprit);
      if (culprit !== undefined) models.fail(culprit);
      models.show();
      say(culprit === undefined ? message.split('\n')[0]! : `${culprit.split(/[\\/]/).at(-1)!} could not be opened: see Report`, 'error');
    },
    (path) => viewer.forgetFile(path),
  );
  const models = new Models(session);
  byId('remove-all').addEventListener('click', () => void session.clear().then(empty));
  /** Nothing is open: what the page says about the last model goes with it. */
  function empty(): void {
    viewer.clear();
    images.forget();
    for (const part of [clips, cameras, look, labels, game, report]) part.clear();
    for (const id of ['facts', 'show']) byId(id).hidden = true;
    models.show();
    transport.show(undefined);
    byId<HTMLButtonElement>('open-share').disabled = true;
    byId('model-name').textContent = '';
    byId('model-format').hidden = true;
    byId('welcome').hidden = false;
    document.title = 'Rigview';
    byId('canvas').setAttribute('aria-label', 'No model is open.');
    frame.place();
    byId('open-files').focus();
  }

  function present({ model, files, kept, fresh }: Shown): void {
    if (fresh) viewer.clear();
    viewer.show(model, kept);
    pointer.forget();
    look.show(model, kept);
    clips.show(model, kept, startClip);
    startClip = undefined;
    if (!kept) {
      images.problems.clear();
      images.notes.clear();
      transport.reset();
    }
    void images.update(files);
    cameras.show(model, kept);
    transport.show(cameras.timed ?? clips.timed);
    show.show(model);
    labels.show(model);
    report.show(model);
    game.show(model, files);
    models.show();
    showFacts(model, viewer, pointer);
    title(model);
    byId<HTMLButtonElement>('open-share').disabled = false;
    for (const id of ['facts', 'show']) byId(id).hidden = false;
    frame.place();
    if (!kept) frame.frame(false);
    wake();
  }

  loop.afterDraw(() => {
    transport.update();
    labels.update(show.isOn('tags'));
  });
  // Whoever turns the model has read it, and would have it over the picture.
  for (const type of ['pointerdown', 'wheel'] as const) canvas.addEventListener(type, () => (byId('welcome').hidden = true), { once: true, passive: true });
  watchCamera({ canvas, viewer, wake, frame: () => frame.frame() });
  watchTheme(viewer, wake);
  watchPicture(canvas, viewer, () => show.isOn('grid'), wake);
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    say('The graphics driver was reset; the picture comes back by itself.');
  });
  canvas.addEventListener('webglcontextrestored', () => {
    viewer.restoreContext();
    wake();
    void images.update(session.files);
  });

  const bring = (files: Promise<Incoming[]> | Incoming[]) => {
    byId('welcome').hidden = true;
    models.findAll();
    void session.add(files);
  };
  watchDrops(byId('veil'), bring);
  for (const [button, input] of [['open-files', 'file-input'], ['open-folder', 'folder-input']] as const) {
    const field = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => field.click());
    field.addEventListener('change', () => {
      bring(fromInput(field));
      field.value = '';
    });
  }
  dialogs();
  byId('toggle-panels').addEventListener('click', () => frame.place());
  shortcuts({
    ' ': () => transport.toggle(),
    ',': () => transport.step(-1),
    '.': () => transport.step(1),
    l: () => transport.toggleLoop(),
    '[': () => clips.step(-1),
    ']': () => clips.step(1),
    f: () => frame.frame(),
    // As in Blender. Models of these games look along +X; their right is -Y.
    1: () => frame.frame(undefined, { yaw: 0, pitch: 0 }),
    3: () => frame.frame(undefined, { yaw: -Math.PI / 2, pitch: 0 }),
    7: () => frame.frame(undefined, { yaw: 0, pitch: Math.PI / 2 }),
    o: () => byId('file-input').click(),
    Escape: () => void cameras.leave(),
    '?': () => byId<HTMLDialogElement>('help').showModal(),
  }, (key) => show.key(key));

  /** Where what is shown came from, if anyone can fetch it from there. */
  let origin: { files: Files; path: string; src: string } | undefined;
  const openFetched = async (src: string, fetched: Promise<{ files: Incoming[]; open: string }>, clip?: string) => {
    try {
      const { files, open } = await fetched;
      startClip = clip;
      await session.sample(files, open);
      if (session.path === open) origin = { files: session.files, path: open, src };
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'error');
    }
  };
  const openSample = (sample: Sample) => openFetched(sampleSrc(sample), fetchSample(sample).then((files) => ({ files, open: sample.open })), sample.clip);
  const openLink = async (link: Linked) => {
    await openFetched(link.src!, fetchLinked(link), link.clip);
    if (!session.model || origin?.src !== link.src) return;
    if (link.variant !== undefined && session.model.variants.includes(link.variant)) look.choose(session.model, link.variant);
    follow(viewer, session.model, link);
    clips.show(session.model, true);
    transport.show(cameras.timed ?? clips.timed);
    wake();
  };
  watchShare(() => {
    const { model, files, path } = session;
    if (!model) return undefined;
    const src = origin?.files === files && origin.path === path ? origin.src : undefined;
    return { viewer, model, files, variant: look.variant, src };
  });
  const list = await samples;
  byId('open-samples').hidden = list.length === 0;
  if (list.length === 0) {
    byId('model-name').textContent = '';
    report.render();
  }
  showGallery(list, (sample) => void openSample(sample));
  const link = linked();
  // Whatever a link says, the page starts.
  if (link) await openLink(link).catch((error: unknown) => say(error instanceof Error ? error.message : String(error), 'error'));
  if (list[0] && !session.model) await openSample(list[0]);
  fetchPosters();
  document.documentElement.dataset.ready = 'yes';
}

/** Names that say nothing without their folder. */
const PLAIN_NAMES = new Set(['mesh', 'model', 'tris', 'body', 'lower', 'idle']);

function title(model: Model): void {
  const folder = model.path.split(/[\\/]/).at(-2);
  const name = folder !== undefined && PLAIN_NAMES.has(model.name.toLowerCase()) ? `${folder}/${model.name}` : model.name;
  byId('model-name').textContent = name;
  byId('model-name').title = model.path;
  const chip = byId('model-format');
  chip.textContent = model.format;
  chip.hidden = false;
  document.title = `${name} – Rigview`;
  byId('canvas').setAttribute('aria-label', `${name}, ${model.format}. Arrow keys turn it, Shift and arrow keys move it, plus and minus zoom, F brings all of it into view.`);
}

function dialogs(): void {
  byId('open-samples').addEventListener('click', () => byId<HTMLDialogElement>('samples').showModal());
  byId('open-help').addEventListener('click', () => byId<HTMLDialogElement>('help').showModal());
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => {
      // A click beside the dialog is one on its backdrop.
      if (event.target === dialog || (event.target as Element).closest('[data-close]')) dialog.close();
    });
  }
  const panels = byId('toggle-panels');
  panels.addEventListener('click', () => {
    const open = document.body.classList.toggle('panels-open');
    panels.setAttribute('aria-expanded', String(open));
  });

  byId('help-formats').replaceChildren(...kinds().map(({ name, extensions }) => el('li', {}, el('strong', {}, name), ` ${extensions.map((extension) => `.${extension}`).join(' ')}`)));
  byId('help-keys').replaceChildren(...KEYS.concat(Show.keys).flatMap(([key, what]) => [el('dt', {}, ...key.split(' ').map((one) => el('kbd', {}, one))), el('dd', {}, what)]));
  byId('help-version').textContent = `Version ${version()}`;
}

const KEYS: [string, string][] = [
  ['Space', 'Play or pause'],
  [', .', 'Previous, next frame'],
  ['[ ]', 'Previous, next clip'],
  ['L', 'Loop'],
  ['F', 'Bring all into view'],
  ['1 3 7', 'From the front, the right, the top'],
  ['O', 'Open files'],
  ['← ↑ → ↓', 'Turn; with Shift, move'],
  ['+ −', 'Closer, farther'],
];

/** Keys that work anywhere but in fields. */
function shortcuts(actions: Record<string, () => void>, other: (key: string) => boolean): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    // A focused button or switch has the space bar for itself.
    if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, summary, input, a')) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) action();
    else if (event.key.length !== 1 || !other(event.key)) return;
    event.preventDefault();
  });
}
