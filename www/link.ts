// In: the page's address. Out: the model, clip, frame, camera and skin that a shared link names, and such links. The words are those
// of `<rig-view>`.
import type { Model, Viewer } from './pkg/rigview.js';
import type { Incoming } from './files';
import { applyCamera, describeCamera } from './embed/camera';
import { isRunning } from './embed/engine';
import { asRigError } from './embed/errors';
import { Source } from './embed/source';
import { Progress } from './status';

/** What a link says, as attributes of the element. */
export type Linked = Record<string, string>;

const NAMES = ['src', 'clip', 'legs', 'torso', 'frame', 'variant', 'camera-orbit', 'camera-target', 'fov'];

export function linked(address = location.href): Linked | undefined {
  const query = new URL(address).searchParams;
  if (!query.get('src')) return undefined;
  return Object.fromEntries(NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
}

/** The files of a link, with those that they name, and the one to open. */
export async function fetchLinked({ src, variant }: Linked): Promise<{ files: Incoming[]; open: string }> {
  isRunning();
  const progress = new Progress('Fetching the model');
  const told = (_loaded: number, _total: number, ratio: number) => progress.set(ratio);
  const source = Source.of(src!, document.baseURI, variant && /^\w+$/.test(variant) ? [variant.toLowerCase()] : [], told);
  try {
    const [files, model] = await Promise.all([source.files, source.model]);
    const incoming = files.paths.map((path) => ({ path, file: new File([files.read(path)! as Uint8Array<ArrayBuffer>], path) }));
    return { files: incoming, open: model.path };
  } catch (error) {
    throw new Error(asRigError(error).message, { cause: error });
  } finally {
    source.release(told);
    progress.done();
  }
}

/** Brings the viewer to where a link says. */
export function follow(viewer: Viewer, model: Model, link: Linked): void {
  const { clip, legs, torso, frame } = link;
  const named = (name: string | undefined) => model.clips.find((one) => one.name === name);
  if (clip === 'none') viewer.setClip(undefined);
  else if (named(clip)) viewer.setClip(clip);
  if (named(legs)) viewer.setClip(legs, 'lower');
  if (named(torso)) viewer.setClip(torso, 'upper');
  if (frame !== undefined) {
    const lead = named(clip) ?? named(legs) ?? named(torso) ?? model.clips.find(({ name }) => name === viewer.clips[0]?.clip);
    if (lead && lead.rate > 0) viewer.seek(Number(frame) / lead.rate);
    viewer.pause();
  }
  if (link['camera-orbit'] || link['camera-target'] || link.fov) {
    applyCamera(viewer, { orbit: link['camera-orbit'] ?? '', target: link['camera-target'] ?? '', fov: Number(link.fov ?? 0) });
  }
}

/** What is shown now, as attributes. `src` is left to the caller: only it knows where the files came from. */
export function describe(viewer: Viewer, model: Model, variant: string | undefined): Linked {
  const link: Linked = {};
  const playing = viewer.clips;
  if (playing.length === 0 && model.clips.length > 0) link.clip = 'none';
  for (const { part, clip } of playing) link[{ lower: 'legs', upper: 'torso' }[part] ?? 'clip'] = clip;
  const lead = model.clips.filter(({ name }) => playing.some(({ clip }) => clip === name)).sort((a, b) => b.duration - a.duration)[0];
  if (lead && !viewer.playing && viewer.duration > 0) {
    const { seconds, duration } = viewer;
    const within = seconds >= 0 && seconds <= duration ? seconds : ((seconds % duration) + duration) % duration;
    link.frame = String(Math.round(within * lead.rate * 100) / 100);
  }
  if (variant !== undefined) link.variant = variant;
  const { orbit, target, fov } = describeCamera(viewer);
  return { ...link, 'camera-orbit': orbit, 'camera-target': target, fov: String(fov) };
}
