// How Bramble moves. Out: clips { name, rate, frames: model-space { t, q } per joint }, looped ones with last frame = first.

import { add, axisAngle, DEG, euler, mix, mirrorY, scale, smooth, turn, unit } from '../lib/math.mjs';
import { Pose } from '../lib/rig.mjs';
import { LID_LEAN, rig } from './shape.mjs';

const SIDES = [['_l', 1], ['_r', -1]];
const wave = (phase) => Math.sin(2 * Math.PI * phase);
const ANKLE = rig.joints[rig.id('foot_l')].at;
const BALL = rig.joints[rig.id('toes_l')].at;

/** Turns a joint; on the right side yaw and roll are mirrored, so that one number opens both sides alike. */
const both = (pose, name, yaw, pitch, roll) => {
  for (const [side, k] of SIDES) pose.turn(name + side, euler(yaw * k, pitch, roll * k));
};

/** Closes (degrees > 0) or opens the lids, each about the axis across its own eye. */
function lids(pose, angle) {
  const eye = rig.joints[rig.id('eye_l')];
  const look = unit([eye.to[0] - eye.at[0], eye.to[1] - eye.at[1], 0]);
  const [c, d] = [Math.cos(LID_LEAN * DEG), Math.sin(LID_LEAN * DEG)];
  for (const [side, k] of SIDES) pose.turn(`lid${side}`, axisAngle([-look[1] * c * k, look[0] * c, -d * k], angle * DEG));
}

/** Arms hang bent beside the belly instead of the modelling pose. */
function relax(pose) {
  both(pose, 'upperarm', 14, 10, -24);
  both(pose, 'forearm', 8, -22, 4);
  both(pose, 'hand', 10, -6, 6);
  both(pose, 'fingers', 0, 16, 0);
  both(pose, 'thumb', 0, 8, 0);
}

/** A tail that swings from the root on, each joint later than the one before. */
function swish(pose, phase, yaw, pitch, lag = 0.09) {
  for (let i = 1; i <= 6; i++) {
    pose.turn(`tail${i}`, euler(yaw * (0.6 + 0.12 * i) * wave(phase - lag * i), pitch * wave(2 * (phase - lag * i) + 0.1), 0));
  }
}

/** Puts a foot: `at` is where the ball of the foot stands (model space), pitch > 0 lifts the heel. Toes stay flat on the ground when `flat`. */
function plant(pose, side, k, at, pitch, yaw = 0, flat = 1) {
  const stand = k > 0 ? [ANKLE, BALL] : [mirrorY(ANKLE), mirrorY(BALL)];
  const q = euler(yaw, pitch, 0);
  // Heel strike turns about the heel, heel lift about the ball.
  const ball = stand[1];
  const pivot = pitch < 0 ? [stand[0][0] - 2.6, ball[1], 0] : [ball[0] + 1.5, ball[1], 0];
  const lift = add(turn(q, add(stand[0], scale(pivot, -1))), pivot);
  const ankle = add(lift, add(at, scale(ball, -1)));
  pose.reach(`thigh${side}`, `shin${side}`, `foot${side}`, ankle, [1, 0.14 * k, 0.1], q);
  pose.turn(`toes${side}`, euler(0, -Math.max(0, pitch) * flat, 0));
}

const standing = (k) => (k > 0 ? BALL : mirrorY(BALL));
const loop = (count, make) => {
  const frames = Array.from({ length: count }, (_, i) => make(i / count));
  return [...frames, frames[0]];
};
const blink = (x, at, long = 0.022) => smooth(at - long, at, x) * smooth(at + long * 1.9, at + long * 0.4, x);

function idle(x) {
  const pose = new Pose(rig);
  const breath = wave(x * 2 - 0.1);
  const sway = wave(x);
  relax(pose);
  pose.move('hips', [0.3 * wave(x * 2), 0.9 * sway, -0.9 + 0.35 * breath]);
  pose.turn('hips', euler(2 * sway, 1, -1.6 * sway));
  pose.turn('spine', euler(-1.2 * sway, -1.2 * breath, 1.4 * sway));
  pose.turn('chest', euler(-0.6 * sway, -2 * breath, 1));
  // A look to the left, then to the right, with a tilt.
  const glance = smooth(0.16, 0.25, x) * smooth(0.5, 0.4, x) - smooth(0.56, 0.66, x) * smooth(0.94, 0.84, x);
  const tilt = smooth(0.62, 0.7, x) * smooth(0.92, 0.82, x);
  pose.turn('neck', euler(9 * glance, 1.6 * breath, 3 * tilt));
  pose.turn('head', euler(15 * glance, 1.4 * wave(x * 2 - 0.22) + 1.5 * tilt, 9 * tilt));
  const early = smooth(0.13, 0.2, x) * smooth(0.47, 0.38, x) - smooth(0.53, 0.6, x) * smooth(0.91, 0.82, x);
  for (const [side] of SIDES) pose.turn(`eye${side}`, euler(14 * early - 4 * glance, 0, 0));
  const shut = Math.max(blink(x, 0.15), blink(x, 0.55), blink(x, 0.6));
  lids(pose, 66 * shut + 2 * breath);
  pose.turn('jaw', euler(0, 0.6 + 0.6 * breath, 0));
  both(pose, 'upperarm', 0, 1.5 * breath, 2.2 * wave(x * 2 - 0.2));
  both(pose, 'forearm', 2 * wave(x * 2 - 0.3), -2 * breath, 0);
  both(pose, 'fingers', 0, 6 * wave(x * 2 + 0.3), 0);
  // Ears twitch, one after the other.
  const flick = (at) => smooth(at - 0.015, at, x) * smooth(at + 0.07, at + 0.015, x);
  pose.turn('ear1_l', euler(-16 * flick(0.34), 3 * wave(x * 2 - 0.3), 3 * wave(x - 0.2) + 14 * flick(0.34)));
  pose.turn('ear2_l', euler(-14 * flick(0.36), 0, 4 * wave(x - 0.3) + 12 * flick(0.36)));
  pose.turn('ear1_r', euler(16 * flick(0.76), 3 * wave(x * 2 - 0.3), 3 * wave(x - 0.2) - 14 * flick(0.76)));
  pose.turn('ear2_r', euler(14 * flick(0.78), 0, 4 * wave(x - 0.3) - 12 * flick(0.78)));
  swish(pose, x, 7, 1.6);
  for (const [side, k] of SIDES) plant(pose, side, k, standing(k), 0);
  return pose.frames();
}

const STRIDE = 15;
const STANCE = 0.62;

/** Where the ball of a foot is at `x` of its own step: on the ground it goes back as fast as the body would go forward. */
export function footfall(x) {
  if (x < STANCE) {
    const at = STRIDE * (0.5 - x / STANCE);
    return { x: at, z: 0, pitch: -16 * smooth(0.09, 0, x) + 34 * smooth(0.4, STANCE, x) };
  }
  const y = (x - STANCE) / (1 - STANCE);
  // Leaves and lands with the speed of the ground (a cubic through both ends).
  const v = (-STRIDE / STANCE) * (1 - STANCE);
  const [h0, h1] = [y * y * (3 - 2 * y), y * (1 - y) * (1 - y) - y * y * (1 - y)];
  const at = mix(-STRIDE / 2, STRIDE / 2, h0) + v * h1;
  return { x: at, z: 5.2 * Math.sin(Math.PI * y) ** 1.25, pitch: mix(34, -16, smooth(0.05, 0.95, y)) };
}

function walk(x) {
  const pose = new Pose(rig);
  const swing = wave(x + 0.06);
  relax(pose);
  // The left foot lands at x = 0, the right one at 0.5; the body is lowest just after, and leans over the standing leg.
  pose.move('hips', [0.5 * wave(2 * x + 0.3), 1.7 * wave(x - 0.02), -1.5 - 0.95 * Math.cos(4 * Math.PI * (x - 0.06))]);
  pose.turn('hips', euler(-8 * Math.cos(2 * Math.PI * x), 3, 4.5 * wave(x + 0.02)));
  pose.turn('spine', euler(6 * Math.cos(2 * Math.PI * (x - 0.02)), 1.5 * Math.cos(4 * Math.PI * (x - 0.12)), -4 * wave(x)));
  pose.turn('chest', euler(7 * Math.cos(2 * Math.PI * (x - 0.04)), 1.5, -3 * wave(x - 0.03)));
  pose.turn('neck', euler(-3 * Math.cos(2 * Math.PI * (x - 0.05)), -3 - 2 * Math.cos(4 * Math.PI * (x - 0.16)), 2.4 * wave(x - 0.06)));
  pose.turn('head', euler(-2 * Math.cos(2 * Math.PI * (x - 0.08)), -1 + 2.6 * Math.cos(4 * Math.PI * (x - 0.2)), 2.4 * wave(x - 0.1)));
  pose.turn('jaw', euler(0, 2 + 1.6 * Math.cos(4 * Math.PI * (x - 0.2)), 0));
  for (const [side, k] of SIDES) {
    const c = Math.cos(2 * Math.PI * (x - 0.03)) * k;
    const late = Math.cos(2 * Math.PI * (x - 0.1)) * k;
    // The left arm is back when the left foot is in front.
    pose.turn(`upperarm${side}`, euler(-4 * c * k, 24 * c, 0));
    pose.turn(`forearm${side}`, euler(0, 10 * late - 8, 0));
    pose.turn(`hand${side}`, euler(0, 10 * late, 0));
    pose.turn(`fingers${side}`, euler(0, 6 * late, 0));
    const bounce = Math.cos(4 * Math.PI * (x - 0.22));
    pose.turn(`ear1${side}`, euler(3 * bounce * k, 4 * bounce, 7 * bounce * k));
    pose.turn(`ear2${side}`, euler(4 * Math.cos(4 * Math.PI * (x - 0.3)) * k, 0, 10 * Math.cos(4 * Math.PI * (x - 0.3)) * k));
  }
  lids(pose, 66 * blink(x, 0.7, 0.07));
  swish(pose, x + 0.18, 10, 2.2, 0.1);
  pose.turn('tail1', euler(6 * Math.cos(2 * Math.PI * x), -2, -3 * swing));
  for (const [side, k] of SIDES) {
    const step = footfall((x + (k > 0 ? 0 : 0.5)) % 1);
    const ball = standing(k);
    plant(pose, side, k, [ball[0] - 2.4 + step.x, ball[1] - 1.6 * k, ball[2] + step.z], step.pitch, 2 * k, step.z > 0 ? 0.55 : 1);
  }
  return pose.frames();
}

function roar(x) {
  const pose = new Pose(rig);
  const dip = smooth(0, 0.16, x) * smooth(0.34, 0.22, x); // breath in: crouch and coil
  const out = smooth(0.22, 0.34, x) * smooth(0.86, 0.68, x); // roar
  const after = smooth(0.74, 0.84, x) * smooth(1, 0.9, x); // settle, a short nod
  const shake = out * Math.sin(2 * Math.PI * x * 16);
  const slow = out * Math.sin(2 * Math.PI * (x - 0.3) * 3);
  relax(pose);
  pose.move('hips', [-2.2 * dip + 1.6 * out, 0, -0.9 - 4.2 * dip - 1.2 * out - 0.7 * after]);
  pose.turn('hips', euler(0, 7 * dip - 3 * out, 0));
  pose.turn('spine', euler(2 * slow, 10 * dip - 8 * out + 2 * after, 1.2 * shake));
  pose.turn('chest', euler(3 * slow, 11 * dip - 12 * out + 3 * after, 1.5 * shake));
  pose.turn('neck', euler(4 * slow, 12 * dip - 4 * out + 4 * after, 0));
  pose.turn('head', euler(6 * slow, -10 * dip - 12 * out + 5 * after, 2.4 * shake));
  pose.turn('jaw', euler(0, 1 - 1.5 * dip + 31 * out + 1.6 * shake, 0));
  pose.turn('tongue', euler(5 * slow, -10 * out + 5 * shake, 0));
  lids(pose, 22 * dip - 9 * out + 64 * blink(x, 0.9, 0.03));
  both(pose, 'clavicle', 6 * out, 0, 12 * out - 8 * dip);
  both(pose, 'upperarm', -26 * out + 12 * dip, -20 * dip - 34 * out, 42 * out - 6 * dip);
  both(pose, 'forearm', 8 * out, -26 * out - 18 * dip, 10 * out);
  both(pose, 'hand', 0, -16 * out + 20 * dip, 0);
  both(pose, 'fingers', 0, -34 * out + 26 * dip + 3 * shake, 0);
  both(pose, 'thumb', -14 * out, -10 * out + 10 * dip, 0);
  both(pose, 'ear1', 18 * dip - 20 * out, -4 * out, 16 * out - 16 * dip);
  both(pose, 'ear2', 12 * dip - 12 * out, 0, 14 * out - 14 * dip + 3 * shake);
  for (let i = 1; i <= 6; i++) {
    const lag = 0.018 * i;
    const late = smooth(0.22 + lag, 0.36 + lag, x) * smooth(0.9, 0.68 + lag, x);
    const coil = smooth(lag, 0.16 + lag, x) * smooth(0.36 + lag, 0.22 + lag, x);
    pose.turn(`tail${i}`, euler(10 * late * Math.sin(2 * Math.PI * (x * 4 - i * 0.11)), 5 * late - 5 * coil - 2 * late * i * 0.3, 0));
  }
  for (const [side, k] of SIDES) plant(pose, side, k, standing(k), 0);
  return pose.frames();
}

export function clips() {
  return [
    { name: 'idle', rate: 24, frames: loop(120, idle) },
    { name: 'walk', rate: 24, frames: loop(26, walk) },
    { name: 'roar', rate: 24, frames: loop(72, roar) },
  ];
}

/** Three shots: a slow circle, a low one at the feet, and a push towards the face. Two cuts. */
export function shots() {
  const frames = [];
  const cuts = [];
  const shot = (count, make) => {
    if (frames.length) cuts.push(frames.length);
    for (let i = 0; i < count; i++) frames.push(make(smooth(0, 1, i / (count - 1)) * 0.6 + (i / (count - 1)) * 0.4));
  };
  const from = (at, to, fov, roll = 0) => ({ t: at, to, fov, roll });
  shot(73, (x) => {
    const a = mix(-62, 48, x) * DEG;
    return from([Math.cos(a) * 205 - 14, Math.sin(a) * 205, mix(92, 50, x)], [-12, 0, 36], 42);
  });
  shot(48, (x) => from([mix(74, 40, x), mix(46, 82, x), mix(7, 12, x)], [mix(0, -10, x), 0, mix(15, 24, x)], mix(50, 60, x)));
  shot(60, (x) => from([mix(120, 78, x), mix(-44, -18, x), mix(70, 56, x)], [7, 0, mix(48, 54, x)], mix(38, 44, x), 2 * Math.sin(Math.PI * x)));
  return { frames, cuts };
}

