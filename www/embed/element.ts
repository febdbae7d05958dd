// In: attributes, properties and hands. Out: `<rig-view>`, a model in any page.
import type { EngineId, Model } from '../pkg/rigview.js';
import type { RigClip, RigFinding, RigMissing, RigVerdict, RigViewElement } from './api';
import { applyCamera, describeCamera, type CameraWish } from './camera';
import { clipNames, defaultClips } from './clips';
import { cssColor } from './color';
import { asRigError, RigError } from './errors';
import { watchGestures } from './gestures';
import { build, options, setPlaying, showError, showMissing, type Parts } from './parts';
import { inSight, nearSight, sized } from './sight';
import { Source } from './source';
import { verdicts } from './verdicts';
import { View } from './view';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

const FLAGS = ['wireframe', 'joints', 'tags', 'grid'] as const;
/** What a change of each attribute means: another model, another pose, another camera, another look. */
const EFFECTS: Record<string, 'load' | 'clip' | 'camera' | 'look' | 'chrome'> = {
  src: 'load', loading: 'load', reveal: 'load', poster: 'chrome', alt: 'chrome', controls: 'chrome', missing: 'chrome',
  clip: 'clip', legs: 'clip', torso: 'clip', frame: 'clip', autoplay: 'clip',
  'camera-orbit': 'camera', 'camera-target': 'camera', fov: 'camera',
  variant: 'look', loop: 'look', speed: 'look', 'auto-rotate': 'look', background: 'look', wireframe: 'look', joints: 'look', tags: 'look', grid: 'look',
};

const TITLES = { fetch: 'The model cannot be fetched', cors: 'The model’s server does not share it', parse: 'The model cannot be shown', webgl: 'No 3D in this browser', crash: 'The viewer failed' };

/** Skins by name, with this one. */
function withSkin(skins: string[], variant: string): string[] {
  const name = variant.toLowerCase();
  return /^\w+$/.test(name) && name !== 'default' && !skins.includes(name) ? [...skins, name] : skins;
}

export class RigView extends HTMLElement implements RigViewElement {
  static readonly observedAttributes = Object.keys(EFFECTS);

  #parts: Parts;
  #source: Source | undefined;
  #told = (loaded: number, total: number, ratio: number) => this.#progressed(loaded, total, ratio);
  #view: View | undefined;
  #model: Model | undefined;
  /** Counts loads: what an earlier one brings is let go. */
  #turn = 0;
  #near = false;
  #seen = false;
  #revealed = false;
  #local: { path: string; bytes: Promise<Uint8Array> }[] | undefined;
  /** Which of the local files to open. */
  #inside = '';
  /** Skins of a Quake III player whose files are fetched: no listing names them. */
  #skins: string[] = [];
  /** What could not be shown: its files may be asked about all the same. */
  #failed: { source: Source | undefined; findings: RigFinding[] } | undefined;
  #warned = new Set<string>();
  #paused = true;
  #pending: 'load' | undefined;
  #hinted: ReturnType<typeof setTimeout> | undefined;
  #touched = false;
  #scrubbing = false;
  #settled: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor() {
    super();
    this.#parts = build(this.attachShadow({ mode: 'open' }));
    const { canvas, play, scrub, clips, variants, reveal } = this.#parts;
    watchGestures({
      canvas,
      viewer: () => this.#view?.viewer,
      moved: () => {
        this.#touched = true;
        this.#turnByItself();
        this.#view?.wake();
      },
      wheelLeft: () => this.#hint('Click the model, or hold Ctrl, to zoom'),
      key: (key) => this.#key(key),
    });
    play.addEventListener('click', () => (this.#paused ? this.play() : this.pause()));
    scrub.addEventListener('input', () => {
      this.#scrubbing = true;
      this.seek(scrub.valueAsNumber);
    });
    scrub.addEventListener('change', () => (this.#scrubbing = false));
    clips.addEventListener('change', () => this.#choose(clips.value));
    variants.addEventListener('change', () => (this.variant = variants.value));
    reveal.addEventListener('click', () => {
      this.#revealed = true;
      reveal.hidden = true;
      this.#update();
      canvas.focus({ preventScroll: true });
    });
  }

  connectedCallback(): void {
    this.#state ??= 'idle';
    inSight(this, (seen) => {
      this.#seen = seen;
      if (this.#view) this.#view.seen = seen;
    });
    nearSight(this, (near) => {
      this.#near ||= near;
      this.#update();
    });
    sized(this.#parts.canvas, () => this.#resize());
    this.#chrome();
    this.#update();
  }

  disconnectedCallback(): void {
    // An element that is only moved is back at the end of the task.
    queueMicrotask(() => {
      if (this.isConnected) return;
      inSight(this);
      nearSight(this);
      sized(this.#parts.canvas);
      this.#near = this.#seen = false;
      this.#drop();
    });
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (before === value) return;
    switch (EFFECTS[name]) {
      case 'load':
        if (name === 'src') {
          this.#local = undefined;
          this.#skins = [];
          this.#drop();
        }
        // All attributes of one task make one load.
        if (this.#pending) return;
        this.#pending = 'load';
        queueMicrotask(() => {
          this.#pending = undefined;
          if (this.isConnected) this.#update();
        });
        break;
      case 'clip':
        this.#guard(() => this.#startClips());
        break;
      case 'camera':
        this.#guard(() => this.#aim());
        break;
      case 'look':
        if (name !== 'variant' || !this.#fetchSkin()) this.#guard(() => this.#dress());
        break;
      default:
        this.#chrome();
    }
  }

  // Loading.

  /** Loads if it is time to. */
  #update(): void {
    const { reveal } = this.#parts;
    const waits = this.reveal === 'interaction' && !this.#revealed;
    reveal.hidden = !waits || (!this.src && !this.#local);
    if (waits || this.#source || !this.isConnected || this.#state === 'failed') return;
    if (!this.src && !this.#local) return;
    if (this.loading !== 'eager' && !this.#near) return;
    void this.#load();
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn;
    this.#state = 'loading';
    this.#parts.errorSlot.hidden = this.#parts.error.hidden = true;
    this.#parts.progress.hidden = false;
    try {
      this.#skins = withSkin(this.#skins, this.variant);
      this.#failed = undefined;
      this.#source = this.#local
        ? Source.from(this.#local, this.#inside, this.#told)
        : Source.of(this.src, this.ownerDocument.baseURI, this.#skins, this.#told);
      const source = this.#source;
      const [model, files] = await Promise.all([source.model, source.files]);
      if (turn !== this.#turn) return;
      const own = model.another();
      try {
        this.#view = new View(this.#parts.canvas, own, files, {
          drawn: () => this.#drawn(),
          ended: () => this.#ended(),
          failed: (error) => this.#fail(error),
        });
      } catch (error) {
        own.free();
        throw error;
      }
      this.#model = own;
      // Another one may have been asked for meanwhile.
      if (this.#fetchSkin()) return;
      this.#resize();
      this.#dress();
      this.#startClips();
      this.#aim();
      this.#fill();
      this.#parts.progress.hidden = true;
      this.#view.seen = this.#seen;
      this.#state = 'shown';
      this.#settled?.resolve();
      this.#emit('load', { name: own.name, format: own.format });
      if (source.missing.length > 0) this.#emit('missing', source.missing);
      this.#chrome();
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** Loads again, with the files of a skin that were not asked for: true where there may be such. */
  #fetchSkin(): boolean {
    const skins = withSkin(this.#skins, this.variant);
    if (this.#local || !this.#model || skins.length === this.#skins.length || this.#model.variants.includes(this.variant) || !this.#source?.mayHaveSkins) return false;
    this.#skins = skins;
    this.#drop();
    this.#update();
    return true;
  }

  /** Lets go of the model; the picture stays until another comes. */
  #drop(): void {
    this.#turn++;
    this.#view?.free();
    this.#view = this.#model = this.#failed = undefined;
    this.#source?.release(this.#told);
    this.#source = undefined;
    this.#paused = true;
    this.#touched = false;
    this.#state = 'idle';
    this.#settled?.reject(new DOMException('another model was asked for', 'AbortError'));
    this.#settled = undefined;
  }

  #fail(thrown: unknown): void {
    const error = asRigError(thrown);
    if (error.type === 'crash') console.error(thrown);
    const settled = this.#settled;
    this.#settled = undefined;
    const source = this.#source;
    this.#drop();
    this.#failed = { source, findings: error.detail.findings ?? [] };
    this.#state = 'failed';
    const { error: card, errorSlot, progress } = this.#parts;
    progress.hidden = true;
    const again = error.type === 'webgl' ? undefined : () => {
      this.#state = 'idle';
      errorSlot.hidden = card.hidden = true;
      this.#update();
    };
    showError(card, TITLES[error.type], error.message, again);
    errorSlot.hidden = card.hidden = false;
    this.#emit('error', error.detail);
    settled?.reject(error);
  }

  #progressed(loaded: number, total: number, ratio: number): void {
    this.#parts.progress.value = ratio;
    this.#emit('progress', { loaded, total, ratio });
  }

  // The picture.

  #resize(): void {
    const { canvas } = this.#parts;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (!this.#view || width < 1 || height < 1) return;
    const first = canvas.width <= 1;
    this.#view.resize(width, height, ratio);
    // All in view was reckoned for another shape of picture.
    if (first || !this.#touched) this.#aim();
  }

  #dress(): void {
    const [view, model] = [this.#view, this.#model];
    if (!view || !model) return;
    const { viewer } = view;
    for (const flag of FLAGS) view.show(flag, this[flag]);
    viewer.speed = this.speed;
    viewer.loops = this.loop;
    const variants = model.variants;
    this.#warn('variant', this.variant, variants);
    if (this.variant && variants.includes(this.variant)) model.setVariant(this.variant);
    else if (variants[0] !== undefined) model.setVariant(variants[0]);
    const style = getComputedStyle(this);
    const color = (name: string, otherwise: string) => cssColor(style.getPropertyValue(name).trim() || otherwise) ?? cssColor(otherwise)!;
    const grid = color('--rig-grid', 'rgb(128 128 128 / 0.5)');
    const ink = color('--rig-ink', 'rgb(230 120 40)');
    viewer.setTheme(new Float32Array(cssColor(this.background) ?? [0, 0, 0, 0]), new Float32Array(grid), new Float32Array(ink.slice(0, 3)));
    this.#turnByItself();
    view.wake();
  }

  #turnByItself(): void {
    if (this.#view) this.#view.turning = this.autoRotate && !this.#touched && !calm.matches;
  }

  #aim(): void {
    const view = this.#view;
    if (!view) return;
    const wish: CameraWish = { orbit: this.cameraOrbit, target: this.cameraTarget, fov: this.fov };
    applyCamera(view.viewer, wish);
    view.wake();
  }

  #startClips(): void {
    const [view, model] = [this.#view, this.#model];
    if (!view || !model) return;
    const { viewer } = view;
    const clips = model.clips;
    const names = clipNames(clips);
    for (const kind of ['clip', 'legs', 'torso'] as const) if (this[kind] !== 'none') this.#warn(kind, this[kind], names, true);
    viewer.setClip(undefined);
    for (const [part, name] of defaultClips(clips, { clip: this.clip, legs: this.legs, torso: this.torso })) viewer.setClip(name, part || undefined);
    const rate = this.#leading()?.rate ?? 0;
    viewer.seek(this.hasAttribute('frame') && rate > 0 ? this.frame / rate : this.speed < 0 ? viewer.duration : 0);
    if (this.autoplay && !calm.matches) this.play();
    else this.pause();
    view.wake();
  }

  #drawn(): void {
    const viewer = this.#view?.viewer;
    if (!viewer || !this.controls) return;
    const { scrub } = this.#parts;
    if (this.#scrubbing) return;
    const { seconds, duration } = viewer;
    scrub.value = String(duration > 0 ? (seconds > duration ? seconds % duration : seconds) : 0);
  }

  #ended(): void {
    const clip = this.#view?.viewer.clips[0]?.clip ?? '';
    this.#setPaused(true);
    this.#emit('clip-end', { clip });
  }

  // What is around the picture.

  #chrome(): void {
    const { canvas, poster, controls, missing } = this.#parts;
    canvas.setAttribute('aria-label', this.alt || (this.#model ? `${this.#model.name}, ${this.#model.format}` : '3D model'));
    let still: string | undefined;
    try {
      if (this.poster) still = new URL(this.poster, this.ownerDocument.baseURI).href;
    } catch {
      // Not an address at all.
    }
    if (still !== undefined) poster.src = still;
    else poster.removeAttribute('src');
    controls.hidden = !this.controls || !this.#model;
    const files = this.#source?.missing ?? [];
    const lists = this.missing === 'list' && this.#model !== undefined && files.length > 0;
    if (lists) showMissing(missing, files.map(({ name }) => name));
    missing.hidden = !lists;
  }

  /** The lists of the controls, and the words for screen readers. */
  #fill(): void {
    const model = this.#model!;
    const { clips, variants, scrub, facts, play } = this.#parts;
    const list = model.clips;
    const chosen = this.#view!.viewer.clips[0]?.clip;
    options(clips, clipNames(list), chosen);
    clips.hidden = list.length < 2;
    options(variants, model.variants, this.variant || model.variants[0]);
    variants.hidden = model.variants.length < 2;
    scrub.max = String(this.#view!.viewer.duration || 1);
    const still = !(this.#view!.viewer.duration > 0);
    play.disabled = scrub.disabled = still;
    const triangles = model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
    facts.textContent = `${model.name}, ${model.format}, ${triangles} triangles, ${list.length} clips`;
  }

  /** A name that is not there is told once; what is shown is as without it. */
  #warn(kind: string, asked: string, names: readonly string[], anyCase = false): void {
    const plain = (name: string) => (anyCase ? name.toLowerCase() : name);
    if (!asked || names.some((name) => plain(name) === plain(asked))) return;
    const text = `<rig-view> ${this.#model!.name}: there is no ${kind} "${asked}". There are: ${names.join(', ') || 'none'}`;
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    console.warn(text);
  }

  #hint(text: string): void {
    const { hint } = this.#parts;
    hint.textContent = text;
    hint.classList.add('shown');
    clearTimeout(this.#hinted);
    this.#hinted = setTimeout(() => hint.classList.remove('shown'), 1500);
  }

  #key(key: string): boolean {
    const viewer = this.#view?.viewer;
    if (!viewer) return false;
    const lead = this.#leading();
    switch (key) {
      case ' ':
        if (this.#paused) this.play();
        else this.pause();
        return true;
      case ',':
      case '.': {
        if (!lead) return false;
        this.pause();
        const frame = Math.round(this.currentTime * lead.rate) + (key === '.' ? 1 : -1);
        const last = Math.max(1, Math.round(viewer.duration * lead.rate));
        this.seek((((frame % last) + last) % last) / lead.rate);
        return true;
      }
      case '[':
      case ']': {
        const names = this.#model ? clipNames(this.#model.clips) : [];
        if (names.length < 2) return false;
        const at = names.indexOf(viewer.clips[0]?.clip ?? '');
        this.#choose(names[(at + (key === ']' ? 1 : names.length - 1)) % names.length]!);
        return true;
      }
      default:
        return false;
    }
  }

  /** Another clip by hand: in a player it moves only the part that it is for. */
  #choose(name: string): void {
    const clip = this.#model?.clips.find((one) => one.name === name);
    const players = this.#model?.clips.some(({ part }) => part === 'upper');
    if (players && clip?.part === 'lower' && !name.startsWith('BOTH_')) [this.clip, this.legs] = ['', name];
    else if (players && clip?.part === 'upper') [this.clip, this.torso] = ['', name];
    else this.clip = name;
  }

  #leading(): RigClip | undefined {
    const names = this.#view?.viewer.clips.map(({ clip }) => clip) ?? [];
    return this.#model?.clips.filter(({ name }) => names.includes(name)).sort((a, b) => b.duration - a.duration)[0];
  }

  #setPaused(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    setPlaying(this.#parts.play, !paused);
    this.#emit(paused ? 'pause' : 'play', undefined);
  }

  /** Runs what a page asked for; a crash is this element's own. */
  #guard(work: () => void): void {
    try {
      work();
      if (this.#model) this.#fill();
    } catch (error) {
      this.#fail(error);
    }
  }

  #emit(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  get #state(): string | undefined {
    return this.dataset.state;
  }
  set #state(state: string) {
    if (this.dataset.state !== state) this.dataset.state = state;
  }

  // What pages call.

  play(): void {
    const view = this.#view;
    if (!view) return;
    view.viewer.play();
    this.#setPaused(false);
    view.wake();
  }

  pause(): void {
    const view = this.#view;
    if (!view) return;
    view.viewer.pause();
    this.#setPaused(true);
    view.wake();
  }

  seek(seconds: number): void {
    this.#view?.viewer.seek(seconds);
    this.#view?.wake();
  }

  async open(files: Iterable<File>, path = ''): Promise<void> {
    // What is no list of files throws here, and the model that is shown stays.
    const local = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, bytes: file.arrayBuffer().then((bytes) => new Uint8Array(bytes)) }));
    this.#drop();
    this.#inside = path;
    this.#local = local;
    this.#revealed = this.#near = true;
    return new Promise((resolve, reject) => {
      this.#settled = { resolve, reject };
      this.#update();
    });
  }

  async toBlob(type?: string, quality?: number): Promise<Blob> {
    if (!this.#view) throw new RigError('parse', 'No model is shown yet.');
    return this.#view.toBlob(type, quality);
  }

  async check(engine?: EngineId): Promise<RigVerdict[]> {
    const path = this.#model?.path;
    const source = path === undefined ? this.#failed?.source : this.#source;
    const local = this.#local?.map(async ({ path, bytes }) => ({ path, bytes: await bytes }));
    const list = source ? await Promise.all(local ?? source.again()) : [];
    if (list.length === 0) throw new RigError('parse', 'No model is shown yet.');
    return verdicts(list, path, engine);
  }

  get findings(): RigFinding[] {
    return this.#model?.report.diagnostics ?? this.#failed?.findings ?? [];
  }
  get loaded(): boolean {
    return this.#model !== undefined;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get duration(): number {
    return this.#view?.viewer.duration ?? 0;
  }
  get currentTime(): number {
    const { seconds = 0, duration = 0 } = this.#view?.viewer ?? {};
    return duration > 0 && (seconds > duration || seconds < 0) ? ((seconds % duration) + duration) % duration : seconds;
  }
  set currentTime(seconds: number) {
    this.seek(seconds);
  }
  get clips(): RigClip[] {
    return this.#model?.clips ?? [];
  }
  get variants(): string[] {
    return this.#model?.variants ?? [];
  }
  get format(): string | undefined {
    return this.#model?.format;
  }
  get name(): string | undefined {
    return this.#model?.name;
  }
  get missingFiles(): RigMissing[] {
    return this.#source?.missing ?? [];
  }
  /** The camera as `camera-orbit` and `camera-target` would say it. */
  get camera(): { orbit: string; target: string; fov: number } | undefined {
    return this.#view && describeCamera(this.#view.viewer);
  }

  // Attributes as properties.

  #text(name: string): string {
    return this.getAttribute(name) ?? '';
  }
  #set(name: string, value: string | number | boolean | undefined): void {
    if (value === undefined || value === '' || value === false) this.removeAttribute(name);
    else this.setAttribute(name, value === true ? '' : String(value));
  }
  /** There and not `false`. */
  #on(name: string): boolean {
    return this.hasAttribute(name) && this.getAttribute(name) !== 'false';
  }
  #number(name: string, otherwise: number): number {
    const value = Number.parseFloat(this.#text(name));
    return Number.isFinite(value) ? value : otherwise;
  }

  get src(): string { return this.#text('src'); }
  set src(value: string) { this.#set('src', value); }
  get alt(): string { return this.#text('alt'); }
  set alt(value: string) { this.#set('alt', value); }
  get clip(): string { return this.#text('clip'); }
  set clip(value: string) { this.#set('clip', value); }
  get legs(): string { return this.#text('legs'); }
  set legs(value: string) { this.#set('legs', value); }
  get torso(): string { return this.#text('torso'); }
  set torso(value: string) { this.#set('torso', value); }
  get frame(): number { return this.#number('frame', 0); }
  set frame(value: number) { this.#set('frame', value); }
  get variant(): string { return this.#text('variant'); }
  set variant(value: string) { this.#set('variant', value); }
  get cameraOrbit(): string { return this.#text('camera-orbit'); }
  set cameraOrbit(value: string) { this.#set('camera-orbit', value); }
  get cameraTarget(): string { return this.#text('camera-target'); }
  set cameraTarget(value: string) { this.#set('camera-target', value); }
  get fov(): number { return this.#number('fov', 0); }
  set fov(value: number) { this.#set('fov', value); }
  get autoplay(): boolean { return this.#on('autoplay'); }
  set autoplay(value: boolean) { this.#set('autoplay', value); }
  get loop(): boolean | undefined { return this.hasAttribute('loop') ? this.#on('loop') : undefined; }
  set loop(value: boolean | undefined) { this.#set('loop', value === false ? 'false' : value); }
  get speed(): number { return this.#number('speed', 1); }
  set speed(value: number) { this.#set('speed', value); }
  get controls(): boolean { return this.#on('controls'); }
  set controls(value: boolean) { this.#set('controls', value); }
  get autoRotate(): boolean { return this.#on('auto-rotate'); }
  set autoRotate(value: boolean) { this.#set('auto-rotate', value); }
  get poster(): string { return this.#text('poster'); }
  set poster(value: string) { this.#set('poster', value); }
  get loading(): 'lazy' | 'eager' { return this.#text('loading') === 'eager' ? 'eager' : 'lazy'; }
  set loading(value: 'lazy' | 'eager') { this.#set('loading', value); }
  get reveal(): 'auto' | 'interaction' { return this.#text('reveal') === 'interaction' ? 'interaction' : 'auto'; }
  set reveal(value: 'auto' | 'interaction') { this.#set('reveal', value); }
  get wireframe(): boolean { return this.#on('wireframe'); }
  set wireframe(value: boolean) { this.#set('wireframe', value); }
  get joints(): boolean { return this.#on('joints'); }
  set joints(value: boolean) { this.#set('joints', value); }
  get tags(): boolean { return this.#on('tags'); }
  set tags(value: boolean) { this.#set('tags', value); }
  get grid(): boolean { return this.#on('grid'); }
  set grid(value: boolean) { this.#set('grid', value); }
  get background(): string { return this.#text('background'); }
  set background(value: string) { this.#set('background', value); }
  get missing(): 'list' | 'quiet' { return this.#text('missing') === 'list' ? 'list' : 'quiet'; }
  set missing(value: 'list' | 'quiet') { this.#set('missing', value); }
}
