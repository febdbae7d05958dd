// Makes the sample "tock": a Half-Life model with two tools, two coats of paint and three sequences. Out: files and entry.

import { add, axisAngle, DEG, euler, mirrorY, mix, smooth, sub, turn } from '../lib/math.mjs';
import { bmp } from '../lib/image.mjs';
import { pointNormals } from '../lib/mesh.mjs';
import { indexed } from '../lib/palette.mjs';
import { bake, chartPoint, openness } from '../lib/paint.mjs';
import { Pose } from '../lib/rig.mjs';
import { smdAnimation, smdReference } from '../lib/smd.mjs';
import { chromePicture, COATS, material, METAL, metalPaint, SHELL, shellPaint } from './look.mjs';
import { body, claw, lamp, rig } from './shape.mjs';

const SIDES = [['_l', 1], ['_r', -1]];
const wave = (x) => Math.sin(2 * Math.PI * x);
const cosine = (x) => Math.cos(2 * Math.PI * x);
const FOOT = rig.joints[rig.id('foot_l')].at;

/** Stands a foot: `at` relative to where it stands in the bind pose, pitch about the toes' tips (> 0 lifts the heel). */
function plant(pose, side, k, at, pitch = 0) {
  const ankle = k > 0 ? FOOT : mirrorY(FOOT);
  const pivot = [pitch > 0 ? 4 : -4, ankle[1], 0];
  const q = euler(0, pitch, 0);
  const to = add(add(pivot, turn(q, sub(ankle, pivot))), [at[0], at[1] * k, at[2]]);
  pose.reach(`thigh${side}`, `shin${side}`, `foot${side}`, to, [1, 0.1 * k, 0], q);
}

const blink = (x, at) => smooth(at - 0.03, at, x) * smooth(at + 0.07, at + 0.02, x);

function rest(pose, x) {
  // The key turns once a clip, the antenna lags behind the head.
  pose.turn('key', axisAngle([1, 0, 0], 360 * DEG * x));
  for (const [side, k] of SIDES) {
    pose.turn(`upperarm${side}`, euler(0, 0, 8 * k));
    pose.turn(`forearm${side}`, euler(-4 * k, -6, 0));
  }
}

function idle(x) {
  const pose = new Pose(rig);
  rest(pose, x);
  pose.move('pelvis', [0, 0.5 * wave(x), -1 + 0.35 * wave(2 * x)]);
  pose.turn('body', euler(2 * wave(x), 1.5 * wave(2 * x - 0.1), -1.5 * wave(x)));
  const look = smooth(0.12, 0.18, x) * smooth(0.46, 0.4, x) - smooth(0.54, 0.6, x) * smooth(0.9, 0.84, x);
  pose.turn('head', euler(26 * look, -3 * look + 2 * wave(2 * x - 0.2), 7 * look));
  pose.turn('lid', euler(0, 58 * Math.max(blink(x, 0.15), blink(x, 0.57), blink(x, 0.66)), 0));
  pose.turn('antenna1', euler(0, 4 * wave(2 * x - 0.3), 6 * wave(2 * x - 0.15)));
  pose.turn('antenna2', euler(0, 6 * wave(2 * x - 0.42), 10 * wave(2 * x - 0.27)));
  for (const [side, k] of SIDES) {
    pose.turn(`upperarm${side}`, euler(0, 4 * wave(x + 0.1 * k), 2 * wave(2 * x) * k));
    pose.turn(`forearm${side}`, euler(0, 5 * wave(2 * x - 0.2 + 0.1 * k), 0));
    plant(pose, side, k, [0, 0.4, 0]);
  }
  return pose.frames();
}

function walk(x) {
  const pose = new Pose(rig);
  rest(pose, x);
  pose.move('pelvis', [0, 1.2 * wave(x - 0.02), -1.4 - 0.7 * cosine(2 * (x - 0.07))]);
  pose.turn('pelvis', euler(-6 * cosine(x), 3, 4 * wave(x)));
  pose.turn('body', euler(9 * cosine(x - 0.03), 2 * cosine(2 * (x - 0.12)), -6 * wave(x - 0.02)));
  pose.turn('head', euler(-4 * cosine(x - 0.05), -4 + 3 * cosine(2 * (x - 0.2)), 4 * wave(x - 0.08)));
  pose.turn('lid', euler(0, 58 * blink(x, 0.4), 0));
  pose.turn('antenna1', euler(0, 9 * cosine(2 * (x - 0.26)), 0));
  pose.turn('antenna2', euler(0, 14 * cosine(2 * (x - 0.34)), 0));
  for (const [side, k] of SIDES) {
    const c = cosine(x - 0.03) * k;
    pose.turn(`upperarm${side}`, euler(0, 26 * c, 0));
    pose.turn(`forearm${side}`, euler(0, 12 * cosine(x - 0.1) * k - 8, 0));
    const at = (x + (k > 0 ? 0 : 0.5)) % 1;
    const stride = 13;
    const share = 0.58;
    if (at < share) {
      const pitch = -12 * smooth(0.1, 0, at) + 26 * smooth(0.42, share, at);
      plant(pose, side, k, [stride * (0.5 - at / share), -0.8, 0], pitch);
    } else {
      const y = (at - share) / (1 - share);
      const v = (-stride / share) * (1 - share);
      const h = mix(-stride / 2, stride / 2, y * y * (3 - 2 * y)) + v * (y * (1 - y) * (1 - y) - y * y * (1 - y));
      plant(pose, side, k, [h, -0.8, 4.4 * Math.sin(Math.PI * y) ** 1.2], mix(26, -12, smooth(0.05, 0.95, y)));
    }
  }
  return pose.frames();
}

function greet(x) {
  const pose = new Pose(rig);
  rest(pose, x);
  const up = smooth(0.06, 0.24, x) * smooth(0.96, 0.78, x);
  const beat = Math.sin(2 * Math.PI * (x - 0.2) * 6) * smooth(0.2, 0.3, x) * smooth(0.82, 0.7, x);
  const dip = smooth(0, 0.08, x) * smooth(0.24, 0.12, x);
  pose.move('pelvis', [0, 0.9 * up, -0.9 - 1.6 * dip]);
  pose.turn('pelvis', euler(0, 0, 3 * up));
  pose.turn('body', euler(8 * up, 4 * dip - 3 * up, 5 * up + beat));
  pose.turn('head', euler(-6 * up, -7 * up + 5 * dip, -14 * up + 3 * beat));
  pose.turn('lid', euler(0, 58 * Math.max(blink(x, 0.1), blink(x, 0.86)) - 14 * up, 0));
  pose.turn('antenna1', euler(0, 8 * dip, 8 * beat));
  pose.turn('antenna2', euler(0, 12 * dip, 14 * beat));
  pose.turn('upperarm_r', euler(0, -74 * up, -46 * up - 6 * beat));
  pose.turn('forearm_r', euler(22 * beat, -34 * up, -26 * beat));
  pose.turn('hand_r', euler(10 * beat, -8 * up, 0));
  pose.turn('upperarm_l', euler(0, 10 * up, 8 * up));
  pose.turn('forearm_l', euler(0, -12 * up, 0));
  for (const [side, k] of SIDES) plant(pose, side, k, [0, 0.4, 0]);
  return pose.frames();
}

const loop = (n, make) => {
  const frames = Array.from({ length: n }, (_, i) => make(i / n));
  return [...frames, frames[0]];
};

export function tock() {
  const shapes = { tock_body: body(), tock_claw: claw(), tock_lamp: lamp() };
  const files = [];
  const whole = { points: [], corners: [], triangles: [] };
  for (const [name, shape] of Object.entries(shapes)) {
    const normals = pointNormals(shape);
    const meshes = ['shell', 'metal', 'chrome'].map((kind) => ({
      material: `tock_${kind}.bmp`,
      points: shape.points,
      normals,
      corners: shape.corners.map((c) => ({ ...c, uv: kind !== material(c.part) ? [0, 0] : kind === 'chrome' ? c.st : chartPoint(kind === 'shell' ? SHELL : METAL, c.part, c.st) })),
      triangles: shape.triangles.filter((t) => material(shape.corners[t[0]].part) === kind),
    }));
    files.push({ path: `${name}.smd`, data: smdReference(rig, meshes) });
    // The two tools take the same place, so only the claw may shade the rest.
    const [p, c] = [whole.points.length, whole.corners.length];
    const off = name === 'tock_lamp' ? [0, -60, 0] : [0, 0, 0];
    whole.points.push(...shape.points.map((q) => ({ ...q, p: add(q.p, off) })));
    whole.corners.push(...shape.corners.map((k) => ({ ...k, point: k.point + p })));
    whole.triangles.push(...shape.triangles.map((t) => t.map((i) => i + c)));
  }
  files.push({ path: 'tock_idle.smd', data: smdAnimation(rig, loop(72, idle)) });
  files.push({ path: 'tock_walk.smd', data: smdAnimation(rig, loop(24, walk)) });
  files.push({ path: 'tock_greet.smd', data: smdAnimation(rig, loop(60, greet)) });
  const open = openness(whole, { reach: 16 });
  const part = (kind) => ({ ...whole, triangles: whole.triangles.filter((t) => material(whole.corners[t[0]].part) === kind) });
  const picture = (image) => bmp(indexed(image));
  for (const coat of Object.keys(COATS)) {
    files.push({ path: coat === 'mint' ? 'tock_shell.bmp' : `tock_shell_${coat}.bmp`, data: picture(bake(part('shell'), SHELL, open, shellPaint(coat)).color) });
  }
  files.push({ path: 'tock_metal.bmp', data: picture(bake(part('metal'), METAL, open, metalPaint).color) });
  files.push({ path: 'tock_chrome.bmp', data: picture(chromePicture()) });
  files.push({ path: 'tock.qc', data: SCRIPT });
  return {
    files,
    entry: {
      id: 'tock',
      title: 'Tock',
      format: 'SMD',
      description: 'A clockwork robot as Half-Life modders keep their sources: a .qc with two tools, two coats of paint, three sequences and 8-bit bitmaps.',
      open: 'tock.qc',
      clip: 'idle',
    },
  };
}

const SCRIPT = `// Tock, a sample model of Rigview.

$modelname	"tock.mdl"
$cd		"."
$cdtexture	"."
$scale		1.0
$cliptotextures
$eyeposition	0 0 40

$body "body" "tock_body"

$bodygroup "tool"
{
	studio "tock_claw"
	studio "tock_lamp"
}

$texturegroup "coat"
{
	{ "tock_shell.bmp" }
	{ "tock_shell_rust.bmp" }
}

$attachment 0 "hand_r" 6 0 0
$attachment 1 "head" 7 0 6
$controller 0 "head" ZR -60 60
$hbox 1 "head" -8 -9 -2 9 9 14
$hbox 2 "body" -9 -9 -2 9 9 12

$sequence "idle" "tock_idle" fps 24 loop ACT_IDLE 1
$sequence "walk" "tock_walk" fps 24 loop ACT_WALK 1 { event 1003 1 "left" } { event 1003 13 "right" }
$sequence "greet" "tock_greet" fps 24 ACT_SIGNAL1 1
`;
