// Tock, a clockwork errand robot for Half-Life: every part hangs on one bone. Out: the skeleton, the body and two tools.

import { add, cross, mirrorY, scale, sub, unit } from '../lib/math.mjs';
import { Cage, curve, mirrorFaces, orient, sweep, triangulate, tube } from '../lib/mesh.mjs';
import { Rig } from '../lib/rig.mjs';
import { lens, torus, turned } from '../lib/solids.mjs';

const toRight = (name) => name.replace(/_l$/, '_r');
const LIMBS = [
  ['thigh_l', 'pelvis', [0, 6.4, 19]],
  ['shin_l', 'thigh_l', [3.6, 7.4, 12.4]],
  ['foot_l', 'shin_l', [-2.6, 7.8, 6.4], [0, 7.9, 0]],
  ['upperarm_l', 'body', [0.6, 9.4, 27.6]],
  ['forearm_l', 'upperarm_l', [0.4, 13.6, 21.8]],
  ['hand_l', 'forearm_l', [6.4, 13.4, 18.6], [10, 13.2, 17]],
];
export const rig = new Rig([
  ['pelvis', null, [0, 0, 19]],
  ['body', 'pelvis', [0, 0, 21]],
  ['head', 'body', [0, 0, 33.4], [4, 0, 33.4]],
  ['lid', 'head', [4.6, 0, 39.6], [8, 0, 39.6]],
  ['key', 'body', [-8, 0, 26], [-12, 0, 26]],
  ['antenna1', 'head', [-2, 3.6, 46], [-3.4, 4.4, 50]],
  ['antenna2', 'antenna1', [-3.4, 4.4, 50], [-3.6, 4.6, 54]],
  ...LIMBS,
  ...LIMBS.map(([n, p, at, to]) => [toRight(n), toRight(p), mirrorY(at), to && mirrorY(to)]),
]);
const at = (name) => rig.joints[rig.id(name)].at;
const Z = [0, 0, 1];
const X = [1, 0, 0];
const Y = [0, 1, 0];

const ball = (cage, p, r, w, part = 'joint') => turned(cage, { at: p, axis: Y, up: Z, profile: [[-r, 0], [-r * 0.72, r * 0.7], [0, r], [r * 0.72, r * 0.7], [r, 0]], sides: 8, part, w });
/** A tapered rod or shell between two points. */
const rod = (cage, a, b, radii, w, part, sides = 6) => {
  const k = radii.length - 1;
  const path = radii.map((_, i) => add(a, scale(sub(b, a), i / k)));
  tube(cage, sweep(path, { up: Math.abs(unit(sub(b, a))[1]) > 0.8 ? X : Y, radius: (t) => radii[Math.round(t * k)], w }), sides, part, 1, true);
};

export function body() {
  const cage = new Cage();
  // Left limbs first; they are mirrored.
  const thigh = { thigh_l: 1 };
  const shin = { shin_l: 1 };
  const foot = { foot_l: 1 };
  ball(cage, at('thigh_l'), 2.6, thigh);
  rod(cage, at('thigh_l'), at('shin_l'), [0.3, 2.4, 2.4, 1.6, 0.3], thigh, 'limb', 8);
  turned(cage, { at: at('shin_l'), axis: Y, up: Z, profile: [[-1.9, 0], [-1.8, 1.9], [1.8, 1.9], [1.9, 0]], sides: 10, part: 'joint', w: shin });
  rod(cage, at('shin_l'), at('foot_l'), [0.2, 1.1, 1.9, 1.2, 0.2], shin, 'limb', 8);
  ball(cage, at('foot_l'), 1.5, foot);
  rod(cage, at('foot_l'), [-0.6, 7.9, 1.2], [0.2, 1.2, 1, 1.4, 0.3], foot, 'rod');
  for (const [dx, dy, long] of [[0.94, 0.34, 6], [0.94, -0.3, 6.2], [-0.98, 0.05, 4]]) {
    const from = cage.points.length;
    const root = [-0.8, 7.9, 0.62];
    const path = curve([root, add(root, [dx * long * 0.35, dy * long * 0.35, 0.8]), add(root, [dx * long, dy * long, -0.4])], 5);
    tube(cage, sweep(path, { up: Z, radius: (t) => [0.3, 1.65, 1.7, 1.25, 0.2][Math.round(t * 4)], thin: () => 0.85, w: foot }), 6, 'toe', 1, true);
    for (const q of cage.points.slice(from)) q.p = [q.p[0], q.p[1], Math.max(q.p[2], 0)];
  }
  ball(cage, at('upperarm_l'), 2.3, { upperarm_l: 1 });
  rod(cage, at('upperarm_l'), at('forearm_l'), [0.2, 1.3, 1.3, 0.2], { upperarm_l: 1 }, 'rod');
  ball(cage, at('forearm_l'), 1.7, { forearm_l: 1 });
  rod(cage, at('forearm_l'), at('hand_l'), [0.2, 1.5, 2.3, 1.9, 0.3], { forearm_l: 1 }, 'limb', 8);
  ball(cage, at('hand_l'), 1.5, { hand_l: 1 });
  mirrorFaces(cage, 0, toRight);
  hand(cage, 1);
  // Hips, egg-shaped body, head.
  const b = { body: 1 };
  const h = { head: 1 };
  turned(cage, { at: [0, 0, 0], axis: Z, up: Y, profile: [[15.4, 0], [15.6, 2.6], [17, 4.4], [19.4, 5], [21, 4.2], [21.2, 0]], sides: 14, part: 'hips', w: { pelvis: 1 } });
  turned(cage, { at: [0, 0, 0], axis: Z, up: Y, profile: [[19.4, 0], [19.8, 4], [21.2, 6.6], [23.6, 8.6], [26.4, 9.2], [29, 8.6], [31.2, 6.8], [32.6, 4.6], [33, 0]], sides: 16, stretch: 0.94, part: 'shell', w: b });
  torus(cage, { at: [0, 0, 24.4], normal: Z, up: Y, a: 9, b: 8.5, r: 0.55, h: 0.7, sides: 16, round: 4, part: 'band', w: b });
  lens(cage, { at: [8.2, 0, 28.2], normal: [0.95, 0, 0.3], a: 2.5, depth: 0.6, sides: 12, part: 'dial', w: b });
  torus(cage, { at: [8.3, 0, 28.25], normal: [0.95, 0, 0.3], a: 2.5, r: 0.45, sides: 12, round: 4, part: 'band', w: b });
  turned(cage, { at: [0, 0, 0], axis: Z, profile: [[31.8, 0], [32, 2.8], [34.4, 2.4], [34.6, 0]], sides: 10, part: 'joint', w: h });
  turned(cage, { at: [0, 0, 39.6], axis: Y, up: Z, profile: [[-8.6, 0], [-8.2, 2.4], [-6.6, 4.9], [-3.6, 6.6], [0, 7.1], [3.6, 6.6], [6.6, 4.9], [8.2, 2.4], [8.6, 0]], sides: 16, part: 'skull', w: h });
  for (const k of [1, -1]) {
    turned(cage, { at: [0, 8 * k, 39.6], axis: [0, k, 0], up: Z, profile: [[-0.6, 0], [-0.4, 3], [0.7, 2.6], [1, 1.4], [1.8, 1.2], [1.9, 0]], sides: 10, part: 'ear', side: k, w: h });
  }
  // The one eye: a rim, a lens like a mirror, and an iris behind it.
  torus(cage, { at: [6.5, 0, 39.6], normal: X, up: Z, a: 4.5, r: 1, h: 1.2, sides: 16, round: 6, part: 'rim', w: h });
  lens(cage, { at: [5.6, 0, 39.6], normal: X, up: Z, a: 4.5, depth: 2.2, sides: 16, rows: 3, part: 'iris', w: h });
  lens(cage, { at: [7.35, 2, 41.6], normal: unit([1, 0.22, 0.22]), up: Z, a: 1, depth: 0.5, sides: 8, part: 'chrome', w: h });
  shutter(cage);
  // Antenna and winding key.
  rod(cage, at('antenna1'), at('antenna2'), [0.1, 0.5, 0.36, 0.3, 0.1], { antenna1: 1 }, 'rod', 6);
  turned(cage, { at: add(at('antenna1'), [0.2, -0.2, -1.2]), axis: [-0.3, 0.3, 1], profile: [[-0.6, 0], [-0.5, 1.4], [0.8, 1], [1.5, 0]], sides: 8, part: 'joint', w: h });
  rod(cage, at('antenna2'), [-3.6, 4.6, 53], [0.1, 0.34, 0.28, 0.26, 0.1], { antenna2: 1 }, 'rod', 6);
  ball(cage, [-3.6, 4.6, 53.8], 1.15, { antenna2: 1 }, 'bulb');
  rod(cage, [-7, 0, 26], [-12.4, 0, 26], [0.2, 0.9, 0.8, 0.8, 0.2], { key: 1 }, 'rod');
  for (const k of [1, -1]) torus(cage, { at: [-13.2, 0, 26 + 2.2 * k], normal: Y, up: Z, a: 1.9, b: 2, r: 0.55, sides: 10, round: 4, part: 'key', w: { key: 1 } });
  return triangulate(orient(cage));
}

/** The eye's upper shutter: a slice of a dome that turns about the eye's own cross axis. */
function shutter(cage) {
  const c = at('lid');
  const [rows, sides] = [4, 10];
  const r = 4.9;
  const ring = (row, radius) => cage.ring(
    Array.from({ length: sides + 1 }, (_, i) => {
      const a = ((30 + (row / rows) * 120) * Math.PI) / 180;
      const b = ((-82 + (i / sides) * 164) * Math.PI) / 180;
      return add(c, scale([Math.cos(b) * Math.cos(a), Math.sin(b), Math.cos(b) * Math.sin(a)], radius));
    }),
    { lid: 1 },
  );
  const s = (i) => i / sides;
  const inner = ring(0, r - 0.4);
  let last = inner;
  for (let row = 0; row <= rows; row++) {
    const next = ring(row, r);
    cage.loft(last, next, { closed: false, s, t0: Math.max(0, row - 1) / rows, t1: row / rows, part: 'lid' });
    last = next;
  }
}

/** A gripper of three fingers; k = 1 left. */
function hand(cage, k) {
  const w = k > 0 ? { hand_l: 1 } : { hand_r: 1 };
  const root = k > 0 ? at('hand_l') : at('hand_r');
  const way = unit([3.6, -0.2 * k, -1.6]);
  const out = unit(cross(way, [0, 0, 1]));
  const up = cross(out, way);
  turned(cage, { at: root, axis: way, profile: [[0.4, 0], [0.6, 1.9], [1.6, 2.1], [2, 1.4], [2.1, 0]], sides: 10, part: 'joint', w });
  for (let i = 0; i < 3; i++) {
    const a = (2 * Math.PI * i) / 3 + Math.PI / 2;
    const off = (x, r) => add(add(root, scale(way, x)), add(scale(out, Math.cos(a) * r), scale(up, Math.sin(a) * r)));
    const path = curve([off(1.4, 1.2), off(2.8, 2.5), off(4.6, 2.4), off(6, 1)], 5);
    tube(cage, sweep(path, { up: unit(cross(way, sub(off(1, 1), off(1, 0)))), radius: (t) => [0.2, 0.85, 0.9, 0.65, 0.1][Math.round(t * 4)], w }), 6, 'finger', 1, true);
  }
}

export function claw() {
  const cage = new Cage();
  hand(cage, -1);
  return triangulate(orient(cage));
}

export function lamp() {
  const cage = new Cage();
  const w = { hand_r: 1 };
  const root = at('hand_r');
  const way = unit([3.6, 0.2, -1.2]);
  turned(cage, { at: root, axis: way, profile: [[0.2, 0], [0.4, 1.7], [1.6, 1.7], [2.4, 2.2], [5, 3.9], [6.4, 4.1], [6.5, 3.6], [5.2, 0]], sides: 14, part: 'lamp', w });
  lens(cage, { at: add(root, scale(way, 5.6)), normal: way, a: 3.7, depth: 1, sides: 14, rows: 2, part: 'beam', w });
  torus(cage, { at: add(root, scale(way, 6.3)), normal: way, a: 3.9, r: 0.5, sides: 14, round: 6, part: 'band', w });
  const grip = curve([add(root, [1.4, 0, 1.6]), add(root, [3, 0.1, 4.2]), add(root, [5.6, 0.2, 3.4])], 5);
  tube(cage, sweep(grip, { up: Y, radius: (t) => (t > 0 && t < 1 ? 0.45 : 0.1), w }), 6, 'rod', 1, true);
  return triangulate(orient(cage));
}
