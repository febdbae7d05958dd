// In: `camera-orbit`, `camera-target` and `fov` as written. Out: the viewer's camera.
import type { Viewer } from '../pkg/rigview.js';

export interface CameraWish {
  /** `yaw pitch distance` */
  orbit: string;
  /** `x y z` or `auto` */
  target: string;
  /** Degrees; 0 leaves it. */
  fov: number;
}

/** Anything that is `auto`, or left out, is as bringing all into view makes it. */
export function applyCamera(viewer: Viewer, { orbit, target, fov }: CameraWish): void {
  const before = viewer.camera;
  const [yaw, pitch, distance] = orbit.trim().split(/[\s,]+/);
  const turned = [...before];
  turned[3] = angle(yaw) ?? before[3]!;
  turned[4] = angle(pitch) ?? before[4]!;
  if (fov > 0 && finite(fov)) turned[6] = fov;
  viewer.setCamera(new Float32Array(turned), false);
  // All into view from this side and through this lens.
  viewer.frame(false);
  const camera = viewer.camera;
  const place = target.trim().split(/[\s,]+/).map(Number);
  if (target.trim() && place.length === 3 && place.every(finite)) camera.splice(0, 3, ...place);
  const number = Number.parseFloat(distance ?? '');
  const length = distance?.endsWith('%') ? (camera[5]! * number) / 100 : number;
  if (finite(length) && Math.fround(length) > 0) camera[5] = length;
  viewer.setCamera(new Float32Array(camera), false);
}

/** The camera as attributes would say it. */
export function describeCamera(viewer: Viewer): { orbit: string; target: string; fov: number } {
  const [x, y, z, yaw, pitch, distance, fov] = viewer.camera as [number, number, number, number, number, number, number];
  const degrees = (radians: number) => Math.round((radians * 1800) / Math.PI) / 10;
  const short = (value: number) => Number(value.toPrecision(5));
  return { orbit: `${degrees(yaw)}deg ${degrees(pitch)}deg ${short(distance)}`, target: `${short(x)} ${short(y)} ${short(z)}`, fov: short(fov) };
}

function angle(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  if (!finite(value)) return undefined;
  return text!.endsWith('rad') ? value : (value * Math.PI) / 180;
}

/** The viewer's numbers have 32 bits: what is too large for these is no number there. */
function finite(value: number): boolean {
  return Number.isFinite(Math.fround(value));
}
