// What a page may use of `<rig-view>`: types only. The package's rigview.d.ts is made of this file.
import type { Diagnostic, EngineId, Verdict } from '../pkg/rigview.js';

/** What went wrong. `fetch`: the file cannot be had; `cors`: its server does not let this page read it; `parse`: it is no model that can be shown; `webgl`: the browser cannot draw; `crash`: a fault of the viewer itself. */
export type RigErrorType = 'fetch' | 'cors' | 'parse' | 'webgl' | 'crash';

export interface RigErrorDetail {
  type: RigErrorType;
  message: string;
  /** The file that could not be had. */
  url?: string;
  /** The server's answer, where there was one. */
  status?: number;
  /** All that was found wrong with the files. */
  findings?: RigFinding[];
}

/** One finding about a file: what was expected where, and what the game does about it. */
export type RigFinding = Diagnostic;

/** What a game would make of the files. */
export type RigVerdict = Verdict;

/** A file that the model names and that could not be found. */
export interface RigMissing {
  /** As the model names it. */
  name: string;
  /** Paths that would do, the likeliest first. */
  tried: string[];
}

export interface RigClip {
  name: string;
  frames: number;
  /** Frames a second. */
  rate: number;
  /** Seconds. */
  duration: number;
  loops: boolean;
  /** Of a Quake III player: the part that it moves. */
  part?: string;
}

export interface RigViewEventMap {
  load: CustomEvent<{ name: string; format: string }>;
  /** `ratio` runs from 0 to 1; `total` is what is known so far, in bytes. */
  progress: CustomEvent<{ loaded: number; total: number; ratio: number }>;
  error: CustomEvent<RigErrorDetail>;
  missing: CustomEvent<RigMissing[]>;
  play: CustomEvent<void>;
  pause: CustomEvent<void>;
  'clip-end': CustomEvent<{ clip: string }>;
}

/** `<rig-view>`. Each property without `readonly` is an attribute of the same name, in lower case with `-` between its words. */
export interface RigViewElement extends HTMLElement {
  /** Files that make up the model, a folder with a listing (ends with `/`), or an archive with `#path/inside`; several are separated by blanks or commas. */
  src: string;
  /** What the picture shows, for those who do not see it. */
  alt: string;
  /** Name of the clip; `none` is the bind pose. Without it an idle clip is taken. */
  clip: string;
  /** Clips of a Quake III player's parts. */
  legs: string;
  torso: string;
  /** Of the clip, counted from 0: where it starts, or stands. */
  frame: number;
  /** What the games call a skin. */
  variant: string;
  /** Yaw and pitch (degrees, or with `rad`) and distance (units, or `%` of what brings all into view): `30deg 10deg 120%`. */
  cameraOrbit: string;
  /** Point in the model's space that is looked at: `x y z`, or `auto`. */
  cameraTarget: string;
  /** Vertical field of view in degrees. */
  fov: number;
  autoplay: boolean;
  /** `undefined` leaves it to the clip. */
  loop: boolean | undefined;
  /** 1 is the clip's own; negative runs backwards. */
  speed: number;
  controls: boolean;
  autoRotate: boolean;
  /** Picture shown until the model is. */
  poster: string;
  /** `lazy` waits until the element is near the window; `eager` does not. */
  loading: 'lazy' | 'eager';
  /** `interaction` loads and shows the model on a click. */
  reveal: 'auto' | 'interaction';
  wireframe: boolean;
  joints: boolean;
  tags: boolean;
  grid: boolean;
  /** A CSS colour, or `transparent`. */
  background: string;
  /** `list` shows what is missing over the picture; `quiet` leaves it to the event. */
  missing: 'list' | 'quiet';

  readonly loaded: boolean;
  readonly paused: boolean;
  readonly duration: number;
  /** Seconds into the clip. */
  currentTime: number;
  readonly clips: RigClip[];
  readonly variants: string[];
  /** "MD5", "Quake III player" … */
  readonly format: string | undefined;
  readonly name: string | undefined;
  /** What was found wrong with the files while reading them, whether they can be shown or not. */
  readonly findings: RigFinding[];
  readonly missingFiles: RigMissing[];
  /** The camera as `camera-orbit`, `camera-target` and `fov` would say it. */
  readonly camera: { orbit: string; target: string; fov: number } | undefined;

  play(): void;
  pause(): void;
  seek(seconds: number): void;
  /** Shows files from the reader's disk instead of `src`; `path` says which of several models. */
  open(files: Iterable<File>, path?: string): Promise<void>;
  /** The picture as it is shown. */
  toBlob(type?: string, quality?: number): Promise<Blob>;
  /** What Doom 3, Quake III or the studiomdl compilers would say to the files; loads the package's core for it. `engine` asks one alone. */
  check(engine?: EngineId): Promise<RigVerdict[]>;

  addEventListener<K extends keyof RigViewEventMap>(type: K, listener: (this: RigViewElement, event: RigViewEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export interface RigViewClass {
  new (): RigViewElement;
  /** Where the .wasm is, or its bytes; beside the script unless set before the first model loads. */
  wasm: string | URL | BufferSource | undefined;
  readonly version: string;
}
