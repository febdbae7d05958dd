// Fathom, a deep-sea diver for Quake III: the bind shapes of lower, upper and head, each in the space of its own tag
// (+X forward, +Y left, +Z up; the player's origin is 24 units above the soles), ends that nobody sees left open, and the two skeletons that pose them.

import { add, cross, mirrorY, scale, smooth, sub, unit } from '../lib/math.mjs';
import { Cage, curve, ellipse, mirrorFaces, orient, subdivide, sweep, triangulate, tube } from '../lib/mesh.mjs';
import { Rig } from '../lib/rig.mjs';
import { lens, torus, turned } from '../lib/solids.mjs';

const toRight = (name) => name.replace(/_l$/, '_r');
const pair = (joints) => [...joints, ...joints.map(([n, p, at, to]) => [toRight(n), toRight(p), mirrorY(at), to && mirrorY(to)])];

export const legs = new Rig([
  ['pelvis', null, [0, 0, -2]],
  ...pair([
    ['thigh_l', 'pelvis', [0, 4.4, -4.5]],
    ['shin_l', 'thigh_l', [1.1, 5, -12.6]],
    ['foot_l', 'shin_l', [-0.6, 5.4, -20.6]],
    ['toes_l', 'foot_l', [4.4, 5.9, -22.6], [8, 6, -22.6]],
  ]),
]);

export const trunk = new Rig([
  ['waist', null, [0, 0, 0]],
  ['chest', 'waist', [0, 0, 6]],
  ['neck', 'chest', [0.4, 0, 18]],
  ...pair([
    ['clavicle_l', 'chest', [0, 3, 13.4]],
    ['upperarm_l', 'clavicle_l', [-0.2, 8, 12.6]],
    ['forearm_l', 'upperarm_l', [-1, 14, 6.6]],
    ['hand_l', 'forearm_l', [2.4, 18, 1.4]],
  ]),
]);
/** Where tag_head sits on the neck, and where the hand points in the bind pose: along the fingers, and out of the palm. */
export const NECK = [0.4, 0, 18.8];
export const HAND = { along: unit([0.46, 0.54, -0.7]), palm: unit(cross(unit([0.46, 0.54, -0.7]), unit([0.8, -0.6, 0.06]))) };

const N = 8;
const half = (m) => (m <= N / 2 ? m : N - m) / (N / 2);
const section = (z, x, rx, ry) => Array.from({ length: N }, (_, m) => [x + rx * Math.cos((2 * Math.PI * m) / N), ry * Math.sin((2 * Math.PI * m) / N), z]);
const mirrored = (w) => Object.fromEntries(Object.entries(w).map(([j, k]) => [toRight(j), k]));

function loftHalves(cage, rings, part, hole = () => false) {
  for (let r = 0; r + 1 < rings.length; r++) {
    for (let m = 0; m < N; m++) {
      if (hole(r, m)) continue;
      const j = (m + 1) % N;
      const [t0, t1] = [r / (rings.length - 1), (r + 1) / (rings.length - 1)];
      cage.face([rings[r][m], rings[r][j], rings[r + 1][j], rings[r + 1][m]], [[half(m), t0], [half(m + 1), t0], [half(m + 1), t1], [half(m), t1]], part, m < N / 2 ? 1 : -1);
    }
  }
}

export function lower() {
  const cage = new Cage();
  const rings = [
    cage.ring(section(2, 0, 4.6, 5.6), { pelvis: 1 }),
    cage.ring(section(-1.2, 0, 5.4, 6.7), { pelvis: 1 }),
    cage.ring(section(-4.8, -0.1, 5.8, 7.6), (m) => (m % 4 === 0 ? { pelvis: 1 } : m < 4 ? { pelvis: 0.6, thigh_l: 0.4 } : { pelvis: 0.6, thigh_r: 0.4 })),
  ];
  loftHalves(cage, rings, 'pelvis');
  const crotch = cage.point([0, 0, -8.2], { pelvis: 0.7, thigh_l: 0.15, thigh_r: 0.15 });
  const SECTIONS = [
    { z: -8.8, x: 0.3, y: 4.7, rx: 4.7, ry: 4.1, w: { thigh_l: 0.85, pelvis: 0.15 } },
    { z: -11.2, x: 0.9, y: 5, rx: 4.2, ry: 3.9, w: { thigh_l: 0.8, shin_l: 0.2 } },
    { z: -12.8, x: 1.2, y: 5.1, rx: 4.3, ry: 4, w: { thigh_l: 0.45, shin_l: 0.55 } },
    { z: -14.6, x: 0.7, y: 5.2, rx: 4, ry: 3.8, w: { shin_l: 1 } },
    { z: -17.4, x: -0.2, y: 5.3, rx: 3.7, ry: 3.6, w: { shin_l: 1 } },
    { z: -19.8, x: -0.5, y: 5.4, rx: 3.2, ry: 3.2, w: { shin_l: 0.6, foot_l: 0.4 } },
  ];
  for (const k of [1, -1]) {
    let previous = [...[0, 1, 2, 3, 4].map((m) => rings[2][k > 0 ? m : (N - m) % N]), crotch];
    SECTIONS.forEach(({ z, x, y, rx, ry, w }, i) => {
      const positions = ellipse([x, y, z], [rx, 0, 0], [0, ry, 0], 6, -Math.PI / 6).map((p) => (k > 0 ? p : mirrorY(p)));
      const next = cage.ring(positions, k > 0 ? w : mirrored(w));
      cage.loft(previous, next, { s: (m) => m / 6, t0: i / 6, t1: (i + 1) / 6, part: 'leg', side: k });
      previous = next;
    });
  }
  const solid = new Cage();
  // Lead boots: a flat sole, a round cap over the toes.
  const boot = curve([[-5.4, 5.2, -21.6], [-3, 5.3, -20.8], [1, 5.5, -20.6], [5, 5.9, -21.6], [8.6, 6.2, -22.4]], 8);
  const wide = [0.3, 2.7, 3.4, 3.6, 4, 4.2, 3.6, 0.4];
  const high = [0.3, 3, 3.7, 3.6, 3.3, 2.9, 2.3, 0.3];
  const from = solid.points.length;
  tube(solid, sweep(boot, { radius: () => 1, wide: (t) => wide[Math.round(t * 7)], thin: (t) => high[Math.round(t * 7)], w: (t) => ({ foot_l: 1 - smooth(0.55, 0.85, t), toes_l: smooth(0.55, 0.85, t) }) }), 10, 'boot', 1, true);
  for (const q of solid.points.slice(from)) q.p = [q.p[0], q.p[1], Math.max(q.p[2], -24)];
  torus(solid, { at: [-0.3, 5.4, -18.2], normal: [0, 0, 1], a: 3.7, b: 3.6, r: 0.8, h: 1, sides: 10, round: 4, part: 'cuff', w: { shin_l: 1 } });
  lens(solid, { at: [3.4, 5.25, -12.9], normal: [1, 0.12, 0.05], a: 2.5, b: 3, depth: 2.5, sides: 8, part: 'pad', w: { thigh_l: 0.4, shin_l: 0.6 } });
  for (const a of [0.75, 1.5, 2.3]) {
    const [c, s] = [Math.cos(a), Math.sin(a)];
    turned(solid, { at: [6 * c, 7.3 * s, -0.4], axis: [c, s, -0.1], profile: [[-1, 0], [-0.9, 1.6], [1, 1.4], [1.3, 0]], sides: 6, part: 'lead', w: { pelvis: 1 } });
  }
  mirrorFaces(solid, 0, toRight);
  torus(solid, { at: [0, 0, -0.4], normal: [0, 0, 1], up: [0, 1, 0], a: 5.4, b: 6.6, r: 0.75, h: 1.5, sides: 14, round: 4, part: 'belt', w: { pelvis: 1 } });
  lens(solid, { at: [5, 0, -0.4], normal: [1, 0, 0], a: 1.9, b: 1.8, depth: 1.9, sides: 10, part: 'buckle', w: { pelvis: 1 } });
  return finish(cage, solid);
}

export function upper() {
  const cage = new Cage();
  const z = [-1.6, 1.6, 5.4, 9, 15, 17.8];
  const rx = [4.3, 5.2, 5.9, 6.3, 5.4, 3.4];
  const ry = [5.4, 6.6, 7.5, 8.2, 7, 3.8];
  const ws = [{ waist: 1 }, { waist: 0.8, chest: 0.2 }, { waist: 0.3, chest: 0.7 }, { chest: 1 }, { chest: 1 }, { chest: 0.8, neck: 0.2 }];
  const rings = z.map((h, r) => cage.ring(section(h, r === 2 ? 0.5 : 0.1, rx[r], ry[r]), ws[r]));
  loftHalves(cage, rings, 'torso', (r, m) => r === 3 && ((m >= 1 && m < 3) || (m >= 5 && m < 7)));
  const ARM = [
    { at: [-0.2, 9, 11.7], dir: [0, 0.85, -0.5], r: 4, w: { upperarm_l: 0.7, clavicle_l: 0.3 } },
    { at: [-0.6, 11.6, 9.1], dir: [-0.1, 0.7, -0.7], r: 3.5, w: { upperarm_l: 1 } },
    { at: [-0.9, 14, 6.6], dir: [0.2, 0.65, -0.7], r: 3.3, w: { upperarm_l: 0.5, forearm_l: 0.5 } },
    { at: [0.7, 16, 4], dir: [0.45, 0.55, -0.7], r: 3.1, w: { forearm_l: 1 } },
    { at: [2, 17.6, 1.9], dir: [0.46, 0.54, -0.7], r: 2.7, w: { forearm_l: 0.8, hand_l: 0.2 } },
  ];
  for (const k of [1, -1]) {
    const rim = [[3, 1], [3, 2], [3, 3], [4, 3], [4, 2], [4, 1]].map(([r, m]) => rings[r][k > 0 ? m : N - m]);
    for (const i of rim) cage.points[i].w = k > 0 ? { chest: 0.62, clavicle_l: 0.22, upperarm_l: 0.16 } : { chest: 0.62, clavicle_r: 0.22, upperarm_r: 0.16 };
    let previous = rim;
    ARM.forEach(({ at, dir, r, w }, i) => {
      const along = unit(dir);
      const front = unit(sub([1, 0, 0], scale(along, along[0])));
      const up = cross(along, front);
      // The rim runs front-low, low, back-low, back-high, high, front-high.
      const positions = ellipse(at, scale(front, r), scale(up, -r), 6, -Math.PI / 6 + Math.PI / 3).map((p) => (k > 0 ? p : mirrorY(p)));
      const next = cage.ring(align(positions, previous.map((q) => cage.points[q].p)), k > 0 ? w : mirrored(w));
      cage.loft(previous, next, { s: (m) => m / 6, t0: i / 5, t1: (i + 1) / 5, part: 'arm', side: k });
      previous = next;
    });
    const end = cage.point([2.4, 18 * k, 1.3], k > 0 ? { hand_l: 1 } : { hand_r: 1 });
    for (let i = 0; i < 6; i++) cage.face([previous[i], previous[(i + 1) % 6], end], [[i / 6, 1], [(i + 1) / 6, 1], [(i + 0.5) / 6, 1]], 'arm', k);
  }
  const solid = new Cage();
  const hand = { hand_l: 1 };
  torus(solid, { at: [2, 17.6, 1.9], normal: HAND.along, a: 2.6, r: 0.7, h: 0.8, sides: 10, round: 4, part: 'cuff', w: hand });
  // A glove, closed around a grip: palm, three fat fingers, a thumb.
  const { along, palm } = HAND;
  const wide = cross(palm, along);
  const at = (x, y, h) => add([2.4, 18, 1.4], add(scale(along, x), add(scale(wide, y), scale(palm, h))));
  tube(solid, [[-0.6, 0.3, 0.3], [0.4, 1.9, 1.5], [2.2, 2.4, 1.5], [3.8, 2.3, 1.2], [4.5, 0.4, 0.3]].map(([x, a, b]) => ({ p: at(x, 0, 0), u: scale(wide, a), v: scale(palm, b), w: hand })), 8, 'palm', 1, true);
  for (const y of [-1.5, 0, 1.5]) {
    const path = curve([at(3.4, y, -0.1), at(5, y * 1.05, 0.6), at(5.2, y, 2.2), at(3.9, y * 0.95, 2.9)], 5);
    const r = [0.2, 1, 1.05, 0.95, 0.15];
    tube(solid, sweep(path, { up: wide, radius: (t) => r[Math.round(t * 4)], w: hand }), 6, 'finger', 1, true);
  }
  const thumb = curve([at(0.8, 1.6, 0.4), at(2, 2.6, 1.4), at(3.6, 2.2, 2.8)], 5);
  tube(solid, sweep(thumb, { up: palm, radius: (t) => [0.2, 1.05, 1, 0.9, 0.15][Math.round(t * 4)], w: hand }), 6, 'finger', 1, true);
  turned(solid, { at: [-8.3, 3.3, 1.4], axis: [0, 0, 1], profile: [[-0.4, 0], [0, 1.9], [1.2, 2.9], [11.6, 2.9], [13, 1.7], [14.2, 0.8], [15, 0]], sides: 10, part: 'tank', w: { chest: 0.85, waist: 0.15 } });
  const hose = curve([[-8.3, 3.3, 14.6], [-8.2, 3.5, 17], [-6.6, 5.2, 19.4], [-1.6, 6.4, 19.6], [3.4, 5.6, 17.6], [6.2, 3.4, 14.2], [5, 2.6, 12.6]], 8);
  tube(solid, sweep(hose, { up: [0, 1, 0], radius: (t) => (t > 0.02 && t < 0.98 ? 0.85 : 0.1), w: { chest: 1 } }), 6, 'hose', 1, true);
  mirrorFaces(solid, 0, toRight);
  // The breastplate that carries the helmet.
  turned(solid, { at: [0.2, 0, 0], axis: [0, 0, 1], up: [0, 1, 0], profile: [[19, 0], [18.9, 3.8], [18, 4.5], [16.4, 6.1], [14, 7.5], [12.8, 7.7], [12.4, 7.2], [12.3, 0]], stretch: 1.22, sides: 16, part: 'collar', w: { chest: 1 } });
  turned(solid, { at: [7, 0, 15], axis: [0.85, 0, 0.5], profile: [[-0.6, 0], [-0.5, 1.9], [0.7, 1.9], [1, 1.4], [1, 0]], sides: 10, part: 'gauge', w: { chest: 1 } });
  lens(solid, { at: [7.75, 0, 15.44], normal: [0.85, 0, 0.5], a: 1.55, depth: 0.4, sides: 10, part: 'face', w: { chest: 1 } });
  return finish(cage, solid);
}

/** Turns the order of a ring (start and way round) so that it lies closest to another. */
function align(ring, to) {
  const n = ring.length;
  const middle = (r) => scale(r.reduce(add, [0, 0, 0]), 1 / n);
  const [a, b] = [middle(ring), middle(to)];
  let best = null;
  for (const way of [1, -1]) {
    for (let s = 0; s < n; s++) {
      const order = Array.from({ length: n }, (_, i) => ring[(((s + way * i) % n) + n) % n]);
      const cost = order.reduce((sum, p, i) => sum + sub(sub(p, a), sub(to[i], b)).reduce((x, d) => x + d * d, 0), 0);
      if (!best || cost < best.cost) best = { cost, order };
    }
  }
  return best.order;
}

export function head() {
  const solid = new Cage();
  const w = { head: 1 };
  const c = [0.4, 0, 6.4];
  turned(solid, { at: c, axis: [0, 0, 1], up: [0, 1, 0], profile: [[7.6, 0], [7.35, 2], [6.5, 4.1], [4.9, 6], [2.6, 7.2], [0, 7.6], [-2.6, 7.2], [-4.8, 6.1], [-6.2, 4.9], [-6.6, 0]], sides: 18, stretch: 1.02, part: 'dome', w });
  torus(solid, { at: [0.4, 0, 0.4], normal: [0, 0, 1], up: [0, 1, 0], a: 5.2, r: 0.9, h: 0.8, sides: 16, round: 6, part: 'ring', w });
  const port = (normal, a, r, out, glass, rim, sides) => {
    const n = unit(normal);
    const at = add(c, scale(n, out));
    torus(solid, { at: add(at, scale(n, 0.3)), normal: n, a, r, h: r * 1.3, sides, round: 6, part: rim, w });
    lens(solid, { at: add(at, scale(n, -0.2)), normal: n, a, depth: glass === 'glass' ? 1.55 : 1.1, sides, rows: glass === 'glass' ? 3 : 2, part: glass, w });
  };
  port([1, 0, 0.04], 4.2, 0.95, 6.6, 'glass', 'rim', 18);
  const before = solid.faces.length;
  port([0.12, 1, 0.12], 2.3, 0.7, 7.15, 'pane', 'rim2', 14);
  turned(solid, { at: add(c, [-5.6, 4, -1.4]), axis: [-0.8, 0.6, -0.1], profile: [[-0.8, 0], [-0.6, 1.5], [0.8, 1.5], [1, 0.9], [2, 0.9], [2.1, 0]], sides: 8, part: 'valve', w });
  mirrorFaces(solid, before, (j) => j);
  port([0.55, 0, 0.84], 1.8, 0.6, 7.2, 'pane', 'rim2', 12);
  turned(solid, { at: add(c, [-1.4, 0, 7]), axis: [-0.18, 0, 1], profile: [[-0.6, 0], [-0.5, 1.5], [0.5, 1.4], [0.7, 0.6], [1.8, 0.6], [1.9, 1.1], [2.3, 1.1], [2.4, 0]], sides: 8, part: 'valve', w });
  orient(solid);
  return triangulate(solid);
}

function finish(cage, solid) {
  const skin = triangulate(orient(subdivide(cage)));
  return { suit: skin, gear: triangulate(orient(solid)) };
}
