// How Fathom moves: for each row of animation.cfg the frames of the legs and of the trunk. The legs are posed in the
// player's space, the trunk in the space of tag_torso, as the game turns the two apart.

import { add, conj, cross, euler, fromColumns, mirrorY, mix, qmul, qunit, scale, smooth, sub, turn, unit } from '../lib/math.mjs';
import { Pose } from '../lib/rig.mjs';
import { HAND, legs, NECK, trunk } from './shape.mjs';

const SIDES = [['_l', 1], ['_r', -1]];
const wave = (x) => Math.sin(2 * Math.PI * x);
const cosine = (x) => Math.cos(2 * Math.PI * x);

/** Values between keys [[x, numbers]], eased. */
function keyed(keys, x) {
  let i = 0;
  while (i < keys.length - 2 && x >= keys[i + 1][0]) i++;
  const [[a, from], [b, to]] = [keys[i], keys[i + 1]];
  const t = smooth(a, b, x);
  return from.map((v, k) => mix(v, to[k], t));
}

// ---- Legs ----

const FOOT = legs.joints[legs.id('foot_l')].at;
const TOES = legs.joints[legs.id('toes_l')].at;

/** `feet`: per side { at: ball of the foot relative to where it stands in the bind pose, pitch, yaw }. */
function stance({ move = [0, 0, 0], turn: q = euler(0, 0, 0), feet, pole = [1, 0, 0.1] }) {
  const pose = new Pose(legs);
  pose.move('pelvis', move).turn('pelvis', q);
  SIDES.forEach(([side, k], i) => {
    const { at, pitch = 0, yaw = 0 } = feet[i];
    const [foot, toes] = k > 0 ? [FOOT, TOES] : [mirrorY(FOOT), mirrorY(TOES)];
    const r = euler(yaw * k, pitch, 0);
    const ankle = add(add(toes, [at[0], at[1] * k, at[2]]), turn(r, sub(foot, toes)));
    pose.reach(`thigh${side}`, `shin${side}`, `foot${side}`, ankle, [pole[0], pole[1] + 0.2 * k, pole[2]], r);
    pose.turn(`toes${side}`, euler(0, -Math.max(0, Math.min(pitch, 45)) * (at[2] < 2 ? 0.9 : 0.4), 0));
  });
  return pose.world();
}

const still = [{ at: [1.6, 0.8, 0], yaw: 10 }, { at: [-1.6, 0.8, 0], yaw: 14 }];

/** How far the ball of the foot must rise so that the heel of a foot with its toes up stays above the ground. */
const heel = (pitch) => 9.6 * Math.sin((Math.max(0, -pitch) * Math.PI) / 180);

/** One foot of a gait at `x` of its step: back along the ground, then over it. */
function step(x, { stride, share, lift, strike = -18, push = 38 }) {
  if (x < share) {
    const late = smooth(share * 0.55, share, x);
    const pitch = strike * smooth(share * 0.22, 0, x) + push * late;
    return { at: [stride * (0.5 - x / share), 0, 2.2 * late * (push / 38) + heel(pitch)], pitch };
  }
  const y = (x - share) / (1 - share);
  const v = (-stride / share) * (1 - share);
  const h = y * y * (3 - 2 * y);
  const slope = y * (1 - y) * (1 - y) - y * y * (1 - y);
  const pitch = mix(push, strike, smooth(0, 0.9, y));
  return {
    at: [mix(-stride / 2, stride / 2, h) + v * slope, 0, heel(pitch) + lift * Math.sin(Math.PI * y) ** 1.2 + 2.2 * (push / 38) * (1 - smooth(0, 0.4, y))],
    pitch,
  };
}

function gait(x, way, { drop, bob, lean, sway, yaw, ...shape }) {
  const at = way > 0 ? x : 1 - x;
  const feet = [0, 0.5].map((late) => {
    const s = step((at + late) % 1, shape);
    return { at: [s.at[0], -0.6, s.at[2]], pitch: s.pitch, yaw: 5 };
  });
  return stance({
    move: [0, sway * wave(at - 0.02), drop - bob * cosine(2 * (at - 0.08))],
    turn: euler(-yaw * cosine(at), lean, 1.6 * sway * wave(at)),
    feet,
  });
}

const crouched = [{ at: [4.2, 1.6, 0], yaw: 18 }, { at: [-2.6, 1.6, 0.8], pitch: 24, yaw: 22 }];
const tucked = [{ at: [3.2, 0.4, 7.2], pitch: 22, yaw: 6 }, { at: [-3.6, 0.2, 4.2], pitch: 50, yaw: 6 }];
const mixFeet = (a, b, t) => a.map((f, i) => ({ at: f.at.map((v, k) => mix(v, b[i].at[k], t)), pitch: mix(f.pitch ?? 0, b[i].pitch ?? 0, t), yaw: mix(f.yaw ?? 0, b[i].yaw ?? 0, t) }));

function leap(x, way) {
  // Crouch, push off, tuck.
  const [z, pitch] = keyed([[0, [-4.4, 8]], [0.4, [0.6, 2]], [1, [1.4, -6]]], x);
  const push = mixFeet(mixFeet(still, crouched, 0.5), [{ at: [-1, 0, 3], pitch: 40 }, { at: [-3, 0, 2.4], pitch: 46 }], smooth(0, 0.4, x));
  const feet = mixFeet(push, way > 0 ? tucked : [tucked[1], tucked[0]], smooth(0.3, 1, x));
  return stance({ move: [0.8 * way * x, 0, z], turn: euler(0, pitch * way, 0), feet });
}

function land(x, way) {
  const [z, pitch] = keyed([[0, [0.4, -4]], [0.35, [-5.8, 10]], [1, [-0.7, 0]]], x);
  const feet = mixFeet(mixFeet(way > 0 ? tucked : [tucked[1], tucked[0]], still, 0.6), still, smooth(0, 0.3, x));
  return stance({ move: [0, 0, z], turn: euler(0, pitch * way, 0), feet });
}

/** The three deaths: where the pelvis goes (x, y, z, yaw, pitch, roll) and where the feet end (x, y outwards, z, pitch). */
const DEATHS = [
  {
    // Thrown on the back.
    pelvis: [[0, [0, 0, -0.8, 0, 0, 0]], [0.25, [-3, 0, -2.6, 4, -22, 2]], [0.62, [-10, 0, -15.4, 6, -70, 0]], [0.78, [-11, 0, -13.8, 7, -76, 0]], [1, [-11.4, 0, -15.6, 8, -74, 0]]],
    left: [[0, [1.6, 0.8, 0, 0]], [0.4, [3, 0.6, 1.4, -28]], [0.7, [4.4, 1.4, 5.4, -56]], [1, [1.6, 2.2, 3, -58]]],
    right: [[0, [-1.6, 0.8, 0, 0]], [0.4, [0, 0.6, 0, -8]], [0.7, [-1, 1.2, 0, 0]], [1, [-2.6, 0.8, 0.2, 2]]],
    pole: [0.4, 0, 1],
  },
  {
    // On the knees, then on the face.
    pelvis: [[0, [0, 0, -0.8, 0, 0, 0]], [0.3, [1.4, 0, -9.6, 0, -8, 0]], [0.5, [2.2, 0, -11.4, -2, 4, 2]], [0.8, [5.4, 0, -15.8, -4, 76, 3]], [1, [5.6, 0, -15.2, -4, 80, 2]]],
    left: [[0, [1.6, 0.8, 0, 0]], [0.3, [-6, 0.6, 2, 58]], [0.55, [-8.4, 0.4, 1.2, 84]], [1, [-13, 1.4, 0.6, 92]]],
    right: [[0, [-1.6, 0.8, 0, 0]], [0.3, [-6.8, 0.6, 2, 60]], [0.55, [-8.8, 0.4, 1.2, 84]], [1, [-12.2, 2, 0.6, 94]]],
    pole: [1, 0, -0.5],
  },
  {
    // A half turn, and down on the left side.
    pelvis: [[0, [0, 0, -0.8, 0, 0, 0]], [0.3, [-1.6, 1, -2.8, -34, -8, -10]], [0.65, [-3.4, 5.4, -13, -62, -4, -58]], [0.8, [-3.8, 6.4, -15.4, -66, 0, -76]], [1, [-3.8, 6.6, -15, -66, 0, -78]]],
    left: [[0, [1.6, 0.8, 0, 0]], [0.4, [-2.4, -1, 0, 0]], [0.7, [-3, -9, 1.4, 10]], [1, [-3.4, -13.4, 1.2, 16]]],
    right: [[0, [-1.6, 0.8, 0, 0]], [0.4, [-2, 1.6, 1, 10]], [0.7, [2.6, 6.6, 3.6, 14]], [1, [4.4, 9.6, 1.6, 12]]],
    pole: [1, 0.2, 0],
  },
];

function dying({ pelvis, left, right, pole }, x) {
  const [px, py, pz, yaw, pitch, roll] = keyed(pelvis, x);
  const foot = (keys) => {
    const [a, b, c, p] = keyed(keys, x);
    return { at: [a, b, c], pitch: p, yaw: 8 };
  };
  const turned = smooth(0.1, 0.6, x);
  return stance({ move: [px, py, pz], turn: euler(yaw, pitch, roll), feet: [foot(left), foot(right)], pole: [mix(1, pole[0], turned), pole[1] * turned, mix(0.1, pole[2], turned)] });
}

// ---- Trunk ----

const hold = (p, yaw, pitch, roll = 0) => ({ p, q: euler(yaw, pitch, roll) });
const READY = { gun: hold([6.6, -4, 6.2], 9, 3), chest: [-20, 4, 0], neck: [17, -2, 0] };

/**
 * The trunk with its weapon at `gun`; the right hand holds the grip, the left one supports the barrel or goes to
 * `left` { p, along, palm } as far as `free` says.
 */
function carry({ gun, chest, neck, left = null, free = 0, breath = 0 }) {
  const pose = new Pose(trunk);
  pose.turn('waist', euler(chest[0] * 0.35, chest[1] * 0.4, chest[2] * 0.4));
  pose.turn('chest', euler(chest[0] * 0.65, chest[1] * 0.6 - breath, chest[2] * 0.6));
  pose.turn('neck', euler(...neck));
  pose.move('clavicle_l', [0, 0, breath * 0.15]).move('clavicle_r', [0, 0, breath * 0.15]);
  const out = (v) => turn(gun.q, v);
  const grip = {
    p: add(gun.p, out([0.1, 0, -2])),
    along: unit(out([0.93, 0, -0.36])),
    palm: unit(out([0, 1, 0])),
  };
  let rest = { p: add(gun.p, out([6.4, 0, 0.2])), along: unit(out([0.45, -0.85, 0.1])), palm: unit(out([0, 0.12, 1])) };
  if (left) rest = { p: rest.p.map((v, k) => mix(v, left.p[k], free)), along: unit(rest.along.map((v, k) => mix(v, left.along[k], free))), palm: unit(rest.palm.map((v, k) => mix(v, left.palm[k], free))) };
  arm(pose, '_r', -1, grip, [-0.5, -0.75, -0.7]);
  arm(pose, '_l', 1, rest, [-0.1, 0.8, -0.8]);
  return { world: pose.world(), gun };
}

/** Puts the middle of a closed hand at `p`. */
function arm(pose, side, k, { p, along, palm }, pole) {
  const frame = (x, y) => {
    const z = unit(cross(x, y));
    return fromColumns(x, cross(z, x), z);
  };
  const bind = k > 0 ? [HAND.along, HAND.palm] : [mirrorY(HAND.along), mirrorY(HAND.palm)];
  const q = qmul(frame(along, palm), conj(frame(...bind)));
  const square = unit(sub(palm, scale(along, palm[0] * along[0] + palm[1] * along[1] + palm[2] * along[2])));
  const wrist = sub(sub(p, scale(along, 4)), scale(square, 1.6));
  pose.reach(`upperarm${side}`, `forearm${side}`, `hand${side}`, wrist, pole, qunit(q));
}

function between(a, b, t) {
  const lerp = (x, y) => x.map((v, k) => mix(v, y[k], t));
  return { gun: { p: lerp(a.gun.p, b.gun.p), q: qunit(lerp(a.gun.q, b.gun.q)) }, chest: lerp(a.chest, b.chest), neck: lerp(a.neck, b.neck), left: b.left ?? a.left, free: mix(a.free ?? 0, b.free ?? 0, t) };
}

const LOWERED = { gun: hold([5, -6.4, 1.2], -6, 48), chest: [-8, 12, 0], neck: [6, 2, 0] };
const CLUB = { gun: hold([4.6, -6.2, 8.6], 14, -14, -8), chest: [-28, 2, 0], neck: [24, -2, 0] };

function gesture(x) {
  // The left hand leaves the gun, knocks on the helmet twice, and gives a wave.
  const up = smooth(0.04, 0.2, x) * smooth(0.98, 0.84, x);
  const knock = Math.max(0, Math.sin(2 * Math.PI * (x - 0.2) * 8)) * smooth(0.2, 0.22, x) * smooth(0.46, 0.44, x);
  const waving = smooth(0.48, 0.56, x);
  const beat = Math.sin(2 * Math.PI * (x - 0.5) * 5.5) * waving * smooth(0.86, 0.8, x);
  const helmet = { p: [6.4 - 1.6 * knock, 9.4 - 1.2 * knock, 24], along: unit([0.1, -0.75, 0.65]), palm: unit([-0.6, -0.6, -0.5]) };
  const wave2 = { p: [6, 15 + 2.6 * beat, 24.4], along: unit([0.15, 0.25 * beat, 1]), palm: unit([1, 0.15, 0]) };
  const left = between2(helmet, wave2, waving);
  return carry({
    gun: hold([5.6, -5.4, 4.6 - 1.2 * up], 9 + 6 * up, 3 + 16 * up),
    chest: [-20 + 18 * up + 5 * beat * 0.4, 4 - 6 * up, -4 * up],
    neck: [17 - 12 * up, -2 - 7 * knock + 3 * waving * up, 8 * up + 4 * beat],
    left,
    free: up,
  });
}
const between2 = (a, b, t) => ({ p: a.p.map((v, k) => mix(v, b.p[k], t)), along: a.along.map((v, k) => mix(v, b.along[k], t)), palm: a.palm.map((v, k) => mix(v, b.palm[k], t)) });

function shoot(x) {
  const kick = smooth(0, 0.12, x) * smooth(1, 0.2, x);
  return carry(between(READY, { gun: hold([3.8, -4.4, 7], 9, -9), chest: [-23, -5, 0], neck: [19, -5, 0] }, kick));
}

function swing(x) {
  const back = smooth(0, 0.25, x) * smooth(0.5, 0.3, x);
  const out = smooth(0.25, 0.5, x) * smooth(1, 0.62, x);
  const a = between(CLUB, { gun: hold([1.4, -8, 10], 30, -26, -16), chest: [-46, -4, 0], neck: [36, 0, 0] }, back);
  return carry(between(a, { gun: hold([9.6, -2.6, 8], -10, 10, 24), chest: [16, 12, 0], neck: [-10, -8, 0] }, out));
}

/** How the trunk dies: chest and neck angles, and where the hands fly (the gun goes with the right one). */
const FALLS = [
  { chest: [[0, [-20, 4, 0]], [0.25, [-6, -16, 0]], [0.62, [0, 14, 2]], [1, [4, -4, 2]]], neck: [[0, [17, -2, 0]], [0.25, [4, -18, 0]], [0.65, [0, 22, 4]], [1, [10, -6, 10]]], gun: [[0, [6.6, -4, 6.2, 9, 3, 0]], [0.35, [5, -11, 12, -30, -40, 0]], [1, [-1.6, -16.5, 12, -60, -10, 60]]], left: [[0, [8, 0, 6]], [0.35, [6, 13, 14]], [1, [-2.2, 20, 14]]] },
  { chest: [[0, [-20, 4, 0]], [0.3, [-8, 20, 0]], [0.55, [-4, 26, 3]], [0.8, [0, 6, 4]], [1, [0, -4, 4]]], neck: [[0, [17, -2, 0]], [0.3, [6, 16, 0]], [0.8, [10, -14, 8]], [1, [16, -16, 10]]], gun: [[0, [6.6, -4, 6.2, 9, 3, 0]], [0.4, [6, -7, 0, 10, 50, 0]], [1, [4, -12.5, 18, 20, -70, 30]]], left: [[0, [8, 0, 6]], [0.35, [7, 3, 2]], [0.8, [5, 10.6, 20]], [1, [4.6, 11.4, 20.4]]] },
  { chest: [[0, [-20, 4, 0]], [0.3, [16, -8, 8]], [0.7, [10, 6, 8]], [1, [4, 8, 2]]], neck: [[0, [17, -2, 0]], [0.3, [-12, -8, -8]], [0.7, [4, 6, 10]], [1, [8, 8, 6]]], gun: [[0, [6.6, -4, 6.2, 9, 3, 0]], [0.35, [6, -11, 14, -20, -20, 20]], [1, [9.4, -5.4, 5, -20, 20, 60]]], left: [[0, [8, 0, 6]], [0.35, [4, 14, 12]], [1, [11, 10.6, 17]]] },
];

function falling({ chest, neck, gun, left }, x) {
  const g = keyed(gun, x);
  const limp = smooth(0.05, 0.35, x);
  return carry({
    gun: hold(g.slice(0, 3), g[3], g[4], g[5]),
    chest: keyed(chest, x),
    neck: keyed(neck, x),
    left: { p: keyed(left, x), along: unit([0.3, 0.8, 0.4]), palm: unit([0.3, -0.3, -0.8]) },
    free: limp,
  });
}

// ---- Rows of animation.cfg ----

const cycle = (n, make) => Array.from({ length: n }, (_, i) => make(i / n));
const once = (n, make) => Array.from({ length: n }, (_, i) => make(n > 1 ? i / (n - 1) : 0));

/** Rows in the game's order: name, rate, loopFrames, legs and/or trunk frames. DEAD rows show the last frame of the death before. */
export function rows() {
  const list = [];
  DEATHS.forEach((death, i) => {
    list.push({ name: `BOTH_DEATH${i + 1}`, rate: 12, loop: 0, legs: once(8, (x) => dying(death, x)), trunk: once(8, (x) => falling(FALLS[i], x)) });
    list.push({ name: `BOTH_DEAD${i + 1}`, rate: 12, loop: 0, last: true });
  });
  const torso = (name, rate, loop, trunk) => list.push({ name, rate, loop, trunk });
  torso('TORSO_GESTURE', 9, 0, once(21, gesture));
  torso('TORSO_ATTACK', 15, 0, once(5, shoot));
  torso('TORSO_ATTACK2', 15, 0, once(5, swing));
  torso('TORSO_DROP', 20, 0, once(5, (x) => carry(between(READY, LOWERED, x))));
  torso('TORSO_RAISE', 20, 0, once(4, (x) => carry(between(LOWERED, READY, x))));
  torso('TORSO_STAND', 6, 6, cycle(6, (x) => carry({ ...READY, gun: hold([6.6, -4, 6.2 + 0.25 * wave(x - 0.1)], 9, 3 + 0.8 * wave(x)), breath: 1.1 * wave(x) })));
  torso('TORSO_STAND2', 8, 0, [carry(CLUB)]);
  const lower = (name, rate, loop, frames) => list.push({ name, rate, loop, legs: frames });
  const walk = { stride: 15, share: 0.6, lift: 3.4, drop: -1.1, bob: 0.7, lean: 3, sway: 1, yaw: 6 };
  const run = { stride: 21, share: 0.4, lift: 7, drop: -1.4, bob: -1.2, lean: 9, sway: 0.7, yaw: 10, push: 52 };
  const creep = { stride: 12, share: 0.6, lift: 3, drop: -7, bob: 0.5, lean: 10, sway: 0.9, yaw: 6 };
  const back = { stride: 18, share: 0.46, lift: 4.6, drop: -1.6, bob: -0.8, lean: -3, sway: 0.7, yaw: 7 };
  lower('LEGS_WALKCR', 8, 6, cycle(6, (x) => gait(x, 1, creep)));
  lower('LEGS_WALK', 10, 8, cycle(8, (x) => gait(x, 1, walk)));
  lower('LEGS_RUN', 15, 8, cycle(8, (x) => gait(x, 1, run)));
  lower('LEGS_BACK', 14, 8, cycle(8, (x) => gait(x, -1, back)));
  lower('LEGS_SWIM', 8, 6, cycle(6, (x) => stance({
    move: [0, 0, -1 + 0.5 * wave(2 * x)],
    turn: euler(3 * wave(x), 26, 0),
    feet: [0, 0.5].map((late) => ({ at: [-9 + 5 * wave(x + late), -0.8, 3.4 + 1.6 * cosine(x + late)], pitch: 52 + 16 * wave(x + late - 0.2), yaw: 3 })),
  })));
  lower('LEGS_JUMP', 14, 0, once(5, (x) => leap(x, 1)));
  lower('LEGS_LAND', 14, 0, once(4, (x) => land(x, 1)));
  lower('LEGS_JUMPB', 14, 0, once(5, (x) => leap(x, -1)));
  lower('LEGS_LANDB', 14, 0, once(4, (x) => land(x, -1)));
  lower('LEGS_IDLE', 6, 6, cycle(6, (x) => stance({ move: [0.12 * wave(x), 0.2 * wave(x), -0.75 + 0.18 * wave(x - 0.1)], turn: euler(0, 0, 0.6 * wave(x)), feet: still })));
  lower('LEGS_IDLECR', 8, 6, cycle(6, (x) => stance({ move: [0, 0, -8.4 + 0.25 * wave(x)], turn: euler(0, 8, 0), feet: crouched })));
  lower('LEGS_TURN', 12, 6, cycle(6, (x) => stance({
    move: [0, 0.7 * wave(x), -1.1],
    turn: euler(6 * wave(x), 0, 0),
    feet: [0, 0.5].map((late, i) => {
      const up = Math.max(0, wave(x + late));
      return { at: [still[i].at[0], 0.8, 2.2 * up], pitch: 12 * up, yaw: 10 + 10 * cosine(x + late) };
    }),
  })));
  return list;
}

/** tag_torso of a frame of the legs: { t, q } in the player's space. */
export function torsoTag(world) {
  const { t, q } = world[legs.id('pelvis')];
  return { t: add(t, turn(q, [0, 0, 2])), q };
}

/** tag_head of a frame of the trunk, in the space of tag_torso. */
export function headTag(world) {
  const { t, q } = world[trunk.id('neck')];
  return { t: add(t, turn(q, sub(NECK, trunk.joints[trunk.id('neck')].at))), q };
}
