// Bramble's body: a cage of quads with joint weights, made smooth. In: nothing. Out: the rig and the surface in bind
// pose (Doom 3 units: +X forward, +Y left, +Z up, feet at z = 0).

import { add, cross, DEG, dot, mirrorY, mix, mix3, scale, smooth, sub, unit } from '../lib/math.mjs';
import { blendWeights, Cage, curve, mirrorFaces, orient, subdivide, sweep, triangulate, tube } from '../lib/mesh.mjs';
import { Rig } from '../lib/rig.mjs';

const toRight = (name) => name.replace(/_l$/, '_r');

const LEFT = [
  ['ear1_l', 'head', [2, 9.2, 59.5]],
  ['ear2_l', 'ear1_l', [-3, 14.5, 60.5], [-9, 19, 58]],
  ['eye_l', 'head', [10.2, 6.2, 56.8], [15.2, 9, 56.9]],
  ['lid_l', 'head', [10.2, 6.2, 56.8], [15.2, 9, 56.9]],
  ['clavicle_l', 'chest', [0.8, 3.5, 38.5], [1, 8.6, 37.2]],
  ['upperarm_l', 'clavicle_l', [1, 8.6, 37.2]],
  ['forearm_l', 'upperarm_l', [-1.2, 16.4, 30.4]],
  ['hand_l', 'forearm_l', [3.2, 21, 25.2]],
  ['fingers_l', 'hand_l', [6.2, 23, 22.4], [8.4, 24.4, 19.6]],
  ['thumb_l', 'hand_l', [6, 19.6, 24], [9.4, 18.6, 22]],
  ['thigh_l', 'hips', [-5, 7.6, 19.5]],
  ['shin_l', 'thigh_l', [0.6, 10.6, 11.6]],
  ['foot_l', 'shin_l', [-4.6, 10.8, 4.4], [2.4, 11.6, 1.4]],
  ['toes_l', 'foot_l', [2.4, 11.6, 1.4], [9, 12.4, 1.2]],
];

const TAIL = [[-13.5, 0, 16.8], [-21, 0, 12.4], [-29, 0, 9.8], [-37, 0, 10], [-44.5, 0, 12.8], [-50.5, 0, 17.4]];

export const rig = new Rig([
  ['origin', null, [0, 0, 0]],
  ['hips', 'origin', [-6, 0, 21.5], [-2, 0, 27]],
  ['spine', 'hips', [-2, 0, 27]],
  ['chest', 'spine', [0.6, 0, 33.6]],
  ['neck', 'chest', [0.6, 0, 41.5]],
  ['head', 'neck', [1.2, 0, 47.5], [14, 0, 52]],
  ['jaw', 'head', [5.5, 0, 49.6], [21, 0, 47]],
  ['tongue', 'jaw', [12, 0, 48.2], [19, 0, 48.2]],
  ...TAIL.map((p, i) => [`tail${i + 1}`, i ? `tail${i}` : 'hips', p, TAIL[i + 1] ?? [-58, 0, 25]]),
  ...LEFT,
  ...LEFT.map(([name, parent, at, to]) => [toRight(name), toRight(parent), mirrorY(at), to && mirrorY(to)]),
]);

// The spine of the body from the tail's tip to the mouth's corner: middle (x, z), half width, half depth, weights.
const STATIONS = [
  { at: [-56.5, 23.2], w: 0.9, d: 0.9, k: { tail6: 1 } },
  { at: [-52.5, 19.3], w: 1.7, d: 1.7, k: { tail6: 0.9, tail5: 0.1 } },
  { at: [-46.5, 14.2], w: 2.6, d: 2.6, k: { tail5: 0.75, tail6: 0.1, tail4: 0.15 } },
  { at: [-40, 10.9], w: 3.5, d: 3.5, k: { tail4: 0.75, tail5: 0.25 } },
  { at: [-33, 9.7], w: 4.6, d: 4.6, k: { tail3: 0.6, tail4: 0.4 } },
  { at: [-26, 10.7], w: 5.9, d: 5.9, k: { tail2: 0.4, tail3: 0.6 } },
  { at: [-19.5, 13.4], w: 7.6, d: 7.8, k: { tail1: 0.4, tail2: 0.55, hips: 0.05 } },
  { at: [-13.6, 17], w: 10, d: 9.8, k: { hips: 0.5, tail1: 0.5 } },
  { at: [-7.8, 20.8], w: 12.6, d: 12, k: { hips: 0.92, tail1: 0.08 } },
  { at: [-3, 25.4], w: 13.8, d: 13.2, k: { hips: 0.6, spine: 0.4 } },
  { at: [0.2, 30.6], w: 13, d: 12.6, k: { spine: 0.7, chest: 0.3 } },
  { at: [1.2, 35.6], w: 11, d: 10.8, k: { chest: 0.9, spine: 0.1 } },
  { at: [0.9, 40], w: 8.8, d: 8.6, k: { chest: 0.7, neck: 0.3 } },
  { at: [0.6, 43.8], w: 7.4, d: 7.2, k: { neck: 0.85, chest: 0.15 } },
];
const N = 12;

export function build() {
  const cage = new Cage();
  const part = new Cage();

  // Tail and trunk.
  const tangent = (i) => {
    const a = STATIONS[Math.max(0, i - 1)].at;
    const b = STATIONS[i + 1]?.at ?? [1.6, 49];
    return unit([b[0] - a[0], 0, b[1] - a[1]]);
  };
  const rings = STATIONS.map(({ at, w, d, k }, i) => {
    const t = tangent(i);
    const back = [-t[2], 0, t[0]];
    return cage.ring(
      Array.from({ length: N }, (_, m) => {
        const a = (2 * Math.PI * m) / N;
        const belly = 1 + 0.08 * Math.max(0, -Math.cos(a));
        return add([at[0], w * Math.sin(a), at[1]], scale(back, d * Math.cos(a) * belly));
      }),
      k,
    );
  });
  // The head: rings that turn from the neck to look forward. [lower x z, upper x z, half width, weights below and above].
  const HEAD = [
    { low: [7.2, 45.2], high: [-5.6, 49.4], w: 8.2, k: { neck: 0.35, head: 0.65 }, jaw: 0.1 },
    { low: [8.6, 44.4], high: [-4.8, 56.4], w: 10.9, k: { head: 1 }, jaw: 0.25 },
    { low: [10.4, 43.9], high: [1.8, 61.4], w: 12.1, k: { head: 1 }, jaw: 0.5 },
    { low: [12.6, 43.9], high: [9.6, 61.2], w: 11.3, k: { head: 1 }, jaw: 0.7 },
  ];
  for (const { low, high, w, k, jaw } of HEAD) {
    rings.push(
      cage.ring(
        Array.from({ length: N }, (_, m) => {
          const a = (2 * Math.PI * m) / N;
          const c = Math.cos(a) * 0.5 + 0.5;
          // Cheeks are widest below the middle.
          const cheek = w * Math.sin(a) * (1 - 0.1 * Math.cos(a));
          return [mix(low[0], high[0], c), cheek, mix(low[1], high[1], c)];
        }),
        (m) => blendWeights(k, { jaw: 1 }, jaw * smooth(0.15, -0.75, Math.cos((2 * Math.PI * m) / N))),
      ),
    );
  }
  // Pulls the last head ring's sides back and up into smiling mouth corners.
  const last = rings[rings.length - 1];
  for (const m of [3, 9]) {
    const q = cage.points[last[m]];
    q.p = [12.2, Math.sign(q.p[1]) * 9.9, 50.9];
    q.w = { head: 0.7, jaw: 0.3 };
  }
  for (const m of [4, 8]) cage.points[last[m]].w = { head: 0.35, jaw: 0.65 };
  for (const m of [5, 6, 7]) cage.points[last[m]].w = { head: 0.15, jaw: 0.85 };

  const half = (m) => (m <= N / 2 ? m : N - m) / (N / 2);
  const TRUNK = 7;
  const along = (i) => (i <= TRUNK ? i / TRUNK : (i - TRUNK) / (rings.length - 1 - TRUNK));
  const legHole = (r, m) => r >= 7 && r < 9 && ((m >= 3 && m < 5) || (m >= 7 && m < 9));
  const armHole = (r, m) => r >= 10 && r < 12 && ((m >= 2 && m < 4) || (m >= 8 && m < 10));
  for (let r = 0; r + 1 < rings.length; r++) {
    for (let m = 0; m < N; m++) {
      if (legHole(r, m) || armHole(r, m)) continue;
      const j = (m + 1) % N;
      const tail = r < TRUNK;
      // The trunk's chart begins where the tail's ends.
      const t0 = r === TRUNK ? 0 : along(r);
      const t1 = along(r + 1);
      const [s0, s1] = [half(m), half(m + 1)];
      cage.face(
        [rings[r][m], rings[r][j], rings[r + 1][j], rings[r + 1][m]],
        [[s0, t0], [s1, t0], [s1, t1], [s0, t1]],
        tail ? 'tail' : 'trunk',
        m < N / 2 ? 1 : -1,
      );
    }
  }
  {
    const tip = cage.point([-58.6, 0, 25.6], { tail6: 1 });
    for (let m = 0; m < N; m++) {
      cage.face([rings[0][m], rings[0][(m + 1) % N], tip], [[half(m), 0], [half(m + 1), 0], [(half(m) + half(m + 1)) / 2, 0]], 'tail', m < N / 2 ? 1 : -1);
    }
  }

  // Snout and jaw: the head parts at the mouth's corners into two tubes that share the throat.
  const throat = [-0.8, -0.42, 0, 0.42, 0.8].map((y) => cage.point([4.5, -y * 8, 49.8], { head: 0.55, jaw: 0.45 }));
  // From the right corner over the top to the left one, then back inside.
  const over = [9, 10, 11, 0, 1, 2, 3];
  const snout = [
    { x: 16.4, w: 9.2, top: 58, lip: 49.5, roof: 51.6 },
    { x: 20.4, w: 7.7, top: 55.2, lip: 48.8, roof: 50.4 },
    { x: 23.4, w: 5.4, top: 53, lip: 49, roof: 48.8 },
  ];
  const under = [9, 8, 7, 6, 5, 4, 3];
  const chin = [
    { x: 16, w: 8.8, top: 43.9, lip: 49.9, roof: 47.3 },
    { x: 19.6, w: 7.2, top: 44.5, lip: 49.1, roof: 47.8 },
    { x: 22.2, w: 5, top: 45.4, lip: 49.1, roof: 49.2 },
  ];
  const muzzle = (stations, order, weights, names, tilt) => {
    let outer = order.map((m) => last[m]);
    let inner = throat;
    stations.forEach(({ x, w, top, lip, roof }, k) => {
      const arch = order.map((_, i) => {
        const a = Math.PI * (i / 6); // 0 right lip … pi left lip
        const rise = Math.sin(a) ** 0.75;
        return [x - tilt * rise, -w * Math.cos(a) * (i === 0 || i === 6 ? 1 : 1.06), mix(lip, top, rise)];
      });
      const roofLine = [0.8, 0.42, 0, -0.42, -0.8].map((y, i) => [x - 1.1, y * w * 0.98, mix(lip, roof, 1 - Math.abs(i - 2) * 0.18)]);
      const nextOuter = cage.ring(arch, weights);
      const nextInner = cage.ring(roofLine, weights);
      const [t0, t1] = [k / 4, (k + 1) / 4];
      for (let i = 0; i < 6; i++) {
        const s = (m) => Math.abs(m - 3) / 3;
        cage.face([outer[i], outer[i + 1], nextOuter[i + 1], nextOuter[i]], [[s(i), t0], [s(i + 1), t0], [s(i + 1), t1], [s(i), t1]], names[0], i >= 3 ? 1 : -1);
      }
      const a = [outer[6], ...inner, outer[0]];
      const b = [nextOuter[6], ...nextInner, nextOuter[0]];
      for (let i = 0; i < 6; i++) {
        const s = (m) => Math.abs(m - 3) / 3;
        cage.face([a[i], a[i + 1], b[i + 1], b[i]], [[s(i), t0], [s(i + 1), t0], [s(i + 1), t1], [s(i), t1]], names[1], i < 3 ? 1 : -1);
      }
      outer = nextOuter;
      inner = nextInner;
    });
    // The lips' front: outer and inner edge zipped.
    const back = [outer[6], ...inner, outer[0]].reverse();
    for (let i = 0; i < 6; i++) {
      const s = (m) => Math.abs(m - 3) / 3;
      const v = [outer[i], outer[i + 1], back[i + 1], back[i]];
      const st = [[s(i), 0.75], [s(i + 1), 0.75], [s(i + 1), 1], [s(i), 1]];
      const keep = v.map((q, m) => v.indexOf(q) === m);
      cage.face(v.filter((_, m) => keep[m]), st.filter((_, m) => keep[m]), names[0], i >= 3 ? 1 : -1);
    }
  };
  // Throat and roof lines run from left to right, outer arches from right to left.
  muzzle(snout, over, { head: 1 }, ['snout', 'palate'], 2.2);
  muzzle(chin, under, { jaw: 1 }, ['chin', 'floor'], 0.6);

  limb(cage, rings, [7, 8, 9], [3, 4, 5], 'leg', LEG);
  limb(cage, rings, [10, 11, 12], [2, 3, 4], 'arm', ARM);

  extras(part);
  const skin = orient(subdivide(cage));
  orient(part);
  const only = (keep) => triangulate({ points: part.points, faces: part.faces.filter((f) => keep(f.part)) });
  return { skin: triangulate(skin), hard: only((p) => p !== 'eye'), eyes: only((p) => p === 'eye') };
}

// Sections of the limbs from the body outwards: middle, direction, half axes (front-back `a`, across `b`), weights.
const LEG = {
  joints: ['thigh_l', 'shin_l', 'foot_l', 'toes_l'],
  sections: [
    { at: [-3.4, 9.6, 16.8], dir: [0.45, 0.3, -1], a: 8.2, b: 5.6, k: { thigh_l: 0.8, hips: 0.2 } },
    { at: [-1, 10.6, 12.6], dir: [0.1, 0.1, -1], a: 6.6, b: 5.2, k: { thigh_l: 0.65, shin_l: 0.35 } },
    { at: [-2, 10.9, 8.6], dir: [-0.5, 0.05, -1], a: 5, b: 4.5, k: { shin_l: 0.95, thigh_l: 0.05 } },
    { at: [-3.6, 11, 5.4], dir: [-0.2, 0, -1], a: 4.5, b: 4.2, k: { shin_l: 0.5, foot_l: 0.5 } },
    { at: [-2, 11.1, 2.7], dir: [0, 0, -1], a: 6.3, b: 5.1, k: { foot_l: 1 } },
    { at: [-1.6, 11.1, 0.3], dir: [0, 0, -1], a: 6.3, b: 5.2, k: { foot_l: 1 } },
  ],
  cap: [-1.6, 11.1, -0.1],
};
const ARM = {
  joints: ['upperarm_l', 'forearm_l', 'hand_l'],
  sections: [
    { at: [0.8, 10.4, 36], dir: [-0.1, 0.85, -0.55], a: 4.7, b: 4.5, k: { upperarm_l: 0.7, clavicle_l: 0.2, chest: 0.1 } },
    { at: [-0.2, 13.6, 32.9], dir: [-0.25, 0.75, -0.65], a: 4.1, b: 4.1, k: { upperarm_l: 1 } },
    { at: [-0.9, 16.4, 30.4], dir: [0.2, 0.7, -0.7], a: 3.6, b: 3.7, k: { upperarm_l: 0.5, forearm_l: 0.5 } },
    { at: [1.1, 18.8, 27.8], dir: [0.55, 0.6, -0.6], a: 3.3, b: 3.5, k: { forearm_l: 1 } },
    { at: [3.1, 20.9, 25.3], dir: [0.6, 0.55, -0.6], a: 2.7, b: 3, k: { forearm_l: 0.5, hand_l: 0.5 } },
    { at: [5.1, 22.2, 23.3], dir: [0.6, 0.5, -0.6], a: 2.6, b: 4, k: { hand_l: 1 } },
    { at: [6.9, 23.2, 21.5], dir: [0.6, 0.5, -0.6], a: 2.2, b: 3.6, k: { hand_l: 0.85, fingers_l: 0.15 } },
  ],
  cap: [7.7, 23.7, 20.7],
};

function limb(cage, rings, rs, ms, part, { sections, cap }) {
  const boundary = [
    [rs[0], ms[0]], [rs[0], ms[1]], [rs[0], ms[2]], [rs[1], ms[2]], [rs[2], ms[2]], [rs[2], ms[1]], [rs[2], ms[0]], [rs[1], ms[0]],
  ];
  const left = boundary.map(([r, m]) => rings[r][m]);
  const right = boundary.map(([r, m]) => rings[r][(N - m) % N]);
  const own = sections[0].k;
  for (const ring of [left, right]) {
    // The hole's rim follows the limb a little: a soft shoulder, and the points with the most joints.
    for (const i of ring) {
      const k = Object.fromEntries(Object.entries(own).map(([j, x]) => [ring === left ? j : toRight(j), x]));
      cage.points[i].w = blendWeights(cage.points[i].w, k, 0.38);
    }
  }
  const from = left.map((i) => cage.points[i].p);
  let start = null;
  let way = 1;
  let previous = [left, right];
  const count = sections.length + 1;
  sections.forEach((section, k) => {
    const dir = unit(section.dir);
    const across = unit(cross(dir, part === 'leg' ? [1, 0, 0] : unit([1, -0.2, 0.75])));
    const front = cross(across, dir);
    if (start === null) {
      const angles = from.map((p) => {
        const d = sub(p, section.at);
        return Math.atan2(dot(d, across), dot(d, front));
      });
      let turnSum = 0;
      for (let i = 0; i < 8; i++) {
        let d = angles[(i + 1) % 8] - angles[i];
        while (d > Math.PI) d -= 2 * Math.PI;
        while (d < -Math.PI) d += 2 * Math.PI;
        turnSum += d;
      }
      way = Math.sign(turnSum);
      let [sx, sy] = [0, 0];
      angles.forEach((a, i) => {
        const d = a - (way * 2 * Math.PI * i) / 8;
        sx += Math.cos(d);
        sy += Math.sin(d);
      });
      start = Math.atan2(sy, sx);
    }
    const positions = Array.from({ length: 8 }, (_, i) => {
      const a = start + (way * 2 * Math.PI * i) / 8;
      return add(section.at, add(scale(front, section.a * Math.cos(a)), scale(across, section.b * Math.sin(a))));
    });
    const weights = (side) => Object.fromEntries(Object.entries(section.k).map(([j, x]) => [side > 0 ? j : toRight(j), x]));
    const next = [cage.ring(positions, weights(1)), cage.ring(positions.map(mirrorY), weights(-1))];
    [1, -1].forEach((side, h) => cage.loft(previous[h], next[h], { s: (i) => i / 8, t0: k / count, t1: (k + 1) / count, part, side }));
    previous = next;
  });
  const lastWeights = sections[sections.length - 1].k;
  [1, -1].forEach((side, h) => {
    const k = Object.fromEntries(Object.entries(lastWeights).map(([j, x]) => [side > 0 ? j : toRight(j), x]));
    const tip = cage.point(side > 0 ? cap : mirrorY(cap), k);
    for (let i = 0; i < 8; i += 2) {
      const v = [previous[h][i], previous[h][i + 1], previous[h][(i + 2) % 8], tip];
      cage.face(v, [[i / 8, 1 - 1 / count], [(i + 1) / 8, 1 - 1 / count], [(i + 2) / 8, 1 - 1 / count], [(i + 1) / 8, 1]], part, side);
    }
  });
}

/** Toes, fingers, claws, horns, ears, eyes, lids, teeth, tongue and the leaves of the back. */
function extras(cage) {
  // Toes and their claws.
  [[-0.36, 0], [0.03, 1.3], [0.4, 0.2]].forEach(([fan, more], i) => {
    const out = [Math.cos(fan), Math.sin(fan) + 0.08, 0];
    const root = add([-1.4, 11.2, 2.3], scale(out, 3.4));
    const path = curve([root, add(add(root, scale(out, 3)), [0, 0, 0.25]), add(add(root, scale(out, 6 + more)), [0, 0, -0.35])], 6);
    const r = [0.2, 2.1, 2.35, 2.3, 1.9, 0.2];
    tube(cage, sweep(path, { radius: (t) => r[Math.round(t * 5)], w: (t) => ({ foot_l: 1 - smooth(0.1, 0.6, t), toes_l: smooth(0.1, 0.6, t) }) }), 8, 'toe');
    const tip = add(root, scale(out, 5.2 + more));
    const claw = curve([add(tip, [0, 0, 0.5]), add(add(tip, scale(out, 1.8)), [0, 0, 0.3]), add(add(tip, scale(out, 3.7)), [0, 0, -1.5])], 6);
    const c = [0.1, 1.35, 1.2, 0.9, 0.5, 0.05];
    tube(cage, sweep(claw, { radius: (t) => c[Math.round(t * 5)], w: { toes_l: 1 } }), 6, 'claw');
  });
  // Fingers, thumb and claws.
  const dir = unit([0.6, 0.5, -0.62]);
  const spread = unit(cross(dir, unit([1, -0.2, 0.75])));
  [-1, 0, 1].forEach((f) => {
    const root = add([6.2, 22.8, 22.3], scale(spread, f * 2.35));
    const way = unit(add(dir, scale(spread, f * 0.28)));
    const bend = unit(add(way, [0.1, -0.25, -0.35]));
    const long = f === 0 ? 1.15 : 1;
    finger(cage, [root, add(root, scale(way, 2.2 * long)), add(add(root, scale(way, 3.4 * long)), scale(bend, 1.6 * long))], 'fingers_l');
  });
  finger(cage, [[5.2, 20.4, 24.2], [7.2, 19.4, 23.2], [9.2, 19, 21.8]], 'thumb_l');

  // Horns sweep back and curl up.
  const horn = curve([[1.5, 5, 58.5], [-0.8, 6.6, 62.6], [-5.6, 8.4, 65.6], [-11.6, 9.6, 66.4], [-16.6, 9.4, 69.6], [-17.4, 8.6, 73.4]], 13);
  tube(cage, sweep(horn, { up: [0, 1, 0], radius: (t) => mix(2.75, 0.12, t ** 1.15), w: { head: 1 } }), 9, 'horn');

  // Ears: leaf-shaped, hollow in front.
  const ear = curve([[3.2, 8.4, 58.6], [0, 12, 60.4], [-4, 16, 60.6], [-8, 19.6, 58.4], [-11.4, 22.2, 54.6]], 12);
  const leaf = (t) => 0.1 + 4.1 * Math.sin(Math.PI * (t * 0.86 + 0.14)) * (1 - 0.3 * t);
  tube(cage, sweep(ear, { up: unit([1, 0.6, 0.25]), radius: leaf, wide: () => 1, thin: (t) => mix(0.36, 0.16, t), w: (t) => ({ head: 1 - smooth(0, 0.25, t), ear1_l: smooth(0, 0.25, t) * (1 - smooth(0.35, 0.75, t)), ear2_l: smooth(0.35, 0.75, t) }) }), 10, 'ear');

  // Eyes and upper lids.
  const eye = rig.joints[rig.id('eye_l')];
  const look = unit(sub(eye.to, eye.at));
  ball(cage, eye.at, look, 4.9, 'eye', { eye_l: 1 }, 0);
  lid(cage, eye.at, look);

  // Teeth along the upper lip.
  [[15.2, 8.5, 49.7, 1], [18, 7.7, 49.1, 0.7], [20.6, 6.4, 48.9, 1.15], [22.5, 3.9, 49, 0.6]].forEach(([x, y, z, k]) => {
    tube(cage, sweep(curve([[x - 0.5, y - 0.5, z + 0.9], [x - 0.3, y - 0.35, z], [x - 0.4, y - 0.35, z - 1.7 * k]], 5), { up: [1, 0, 0], radius: (t) => [0.1, 0.8, 0.72, 0.45, 0.04][Math.round(t * 4)] * (0.7 + 0.3 * k), w: { head: 1 } }), 5, 'tooth');
  });
  mirrorFaces(cage, 0, toRight);

  // Tongue.
  const tongue = curve([[8, 0, 47.6], [12, 0, 48.3], [16, 0, 48.2], [19.6, 0, 48.1]], 7);
  tube(cage, sweep(tongue, { radius: (t) => [0.3, 3, 3.5, 3.6, 3.3, 2.4, 0.3][Math.round(t * 6)], thin: () => 0.3, w: (t) => ({ jaw: 1 - smooth(0.2, 0.7, t), tongue: smooth(0.2, 0.7, t) }) }), 8, 'tongue');

  // Leaves along the back, and the big one at the tail's tip.
  const spine = curve(STATIONS.map(({ at, d }, i) => {
    const b = STATIONS[i + 1]?.at ?? [1.6, 49];
    const a = STATIONS[Math.max(0, i - 1)].at;
    const t = unit([b[0] - a[0], 0, b[1] - a[1]]);
    return [at[0] - t[2] * d * 0.93, d, at[1] + t[0] * d * 0.93];
  }), 131);
  const weightsAt = (x) => {
    const i = Math.min(STATIONS.length - 2, Math.floor(x));
    return blendWeights(STATIONS[i].k, STATIONS[i + 1].k, x - i);
  };
  const plate = (root, out, size, lean, w) => {
    const tip = add(root, scale(out, size));
    const path = curve([add(root, scale(out, -size * 0.25)), add(root, scale(lean, size * 0.12)), add(mix3(root, tip, 0.6), scale(lean, size * 0.18)), add(tip, scale(lean, size * 0.45))], 7);
    const shape = [0.2, 0.78, 1, 0.98, 0.78, 0.42, 0.03];
    tube(cage, sweep(path, { up: [0, 1, 0], radius: (t) => shape[Math.round(t * 6)] * size * 0.36, thin: () => 0.2, w }), 8, 'leaf');
  };
  [[2.2, 2.4], [3.4, 3.2], [4.6, 4], [5.8, 4.9], [7, 5.8], [8.2, 6.6], [9.4, 7], [10.6, 6.6], [11.7, 5.6], [12.7, 4.4]].forEach(([x, size]) => {
    const i = Math.round(x * 10);
    const at = spine[i];
    const t = unit(sub(spine[Math.min(130, i + 4)], spine[i - 4]));
    plate([at[0], 0, at[2]], [-t[2], 0, t[0]].map((q, k) => (k === 1 ? 0 : q)), size, [-t[0], 0, -t[2]], weightsAt(x));
  });
  plate([0.2, 0, 61.2], unit([-0.5, 0, 1]), 4.6, [-1, 0, 0.1], { head: 1 });
  plate([-5.4, 0, 56.6], unit([-1, 0, 0.7]), 4.4, [-0.4, 0, -0.5], { head: 1 });
  const tuft = curve([[-56, 0, 22.6], [-59.4, 0, 26.6], [-62, 0, 31.4], [-62.4, 0, 37], [-59.6, 0, 42]], 9);
  tube(cage, sweep(tuft, { up: [0, 1, 0], radius: (t) => [0.3, 1.5, 3.2, 4.6, 5, 4.5, 3.2, 1.6, 0.1][Math.round(t * 8)], thin: (t) => mix(0.5, 0.16, Math.min(1, t * 2)), w: { tail6: 1 } }), 10, 'tuft');
}

function finger(cage, knots, joint) {
  const path = curve(knots, 5);
  const r = [0.2, 1.45, 1.42, 1.3, 0.15];
  tube(cage, sweep(path, { up: [1, 0, 0.3], radius: (t) => r[Math.round(t * 4)], w: (t) => ({ hand_l: 1 - smooth(0, 0.5, t), [joint]: smooth(0, 0.5, t) }) }), 7, 'finger');
  const way = unit(sub(knots[2], knots[1]));
  const root = add(knots[2], scale(way, -0.7));
  const claw = curve([root, add(root, scale(way, 1)), add(add(root, scale(way, 2.4)), [0.1, -0.2, -0.7])], 5);
  tube(cage, sweep(claw, { up: [1, 0, 0.3], radius: (t) => [0.1, 0.85, 0.75, 0.45, 0.04][Math.round(t * 4)], w: { [joint]: 1 } }), 5, 'claw');
}

/** A ball whose chart is a disc seen along `look`. */
function ball(cage, center, look, radius, part, w) {
  const up = unit(sub([0, 0, 1], scale(look, look[2])));
  const side = cross(look, up);
  const [rows, sides] = [7, 14];
  const at = (row, i) => {
    const a = (Math.PI * row) / rows;
    const b = (2 * Math.PI * i) / sides;
    const d = add(scale(look, Math.cos(a)), add(scale(side, Math.sin(a) * Math.cos(b)), scale(up, Math.sin(a) * Math.sin(b))));
    const r = (row / rows) * 0.5;
    return { p: add(center, scale(d, radius)), st: [0.5 + r * Math.cos(b), 0.5 - r * Math.sin(b)] };
  };
  const front = cage.point(at(0, 0).p, w);
  const back = cage.point(at(rows, 0).p, w);
  const rings = [];
  for (let row = 1; row < rows; row++) rings.push(cage.ring(Array.from({ length: sides }, (_, i) => at(row, i).p), w));
  for (let i = 0; i < sides; i++) {
    const j = (i + 1) % sides;
    cage.face([front, rings[0][i], rings[0][j]], [[0.5, 0.5], at(1, i).st, at(1, j).st], part);
    for (let r = 0; r + 1 < rings.length; r++) {
      cage.face([rings[r][i], rings[r + 1][i], rings[r + 1][j], rings[r][j]], [at(r + 1, i).st, at(r + 2, i).st, at(r + 2, j).st, at(r + 1, j).st], part);
    }
    cage.face([rings[rows - 2][i], back, rings[rows - 2][j]], [at(rows - 1, i).st, at(rows - 1, i).st.map((x) => 0.5 + (x - 0.5) * 1.15), at(rows - 1, j).st], part);
  }
}

/** Degrees that the lids hang down towards the outer corners. */
export const LID_LEAN = 13;

/** The upper lid: a cap of a slightly larger ball, open below, with a thick rim. Turning `lid_l` closes it. */
function lid(cage, center, look) {
  const flat = unit([look[0], look[1], 0]);
  // The lid hangs towards the outer corner: a friendly look.
  const lean = LID_LEAN * DEG;
  const out = [-flat[1], flat[0], 0];
  const side = add(scale(out, Math.cos(lean)), [0, 0, -Math.sin(lean)]);
  const top = cross(flat, side);
  const [rows, sides] = [6, 10];
  const at = (row, i, radius) => {
    // Rows run from the rim (above the pupil) over the top to behind the ball, columns across.
    const a = mix(43, 172, row / rows) * DEG;
    const b = mix(-88, 88, i / sides) * DEG;
    const across = Math.sin(b);
    const round = Math.cos(b);
    return add(center, scale(add(scale(side, across), add(scale(flat, round * Math.cos(a)), scale(top, round * Math.sin(a)))), radius - 0.3 * smooth(1.2, rows, row)));
  };
  const w = { lid_l: 1 };
  const outer = [];
  for (let row = 0; row <= rows; row++) outer.push(cage.ring(Array.from({ length: sides + 1 }, (_, i) => at(row, i, row === 0 ? 5.45 : 5.35)), w));
  const rim = cage.ring(Array.from({ length: sides + 1 }, (_, i) => at(-0.12, i, 4.92)), w);
  const s = (i) => i / sides;
  cage.loft(rim, outer[0], { closed: false, s, t0: 0, t1: 0.12, part: 'lid' });
  for (let r = 0; r < rows; r++) cage.loft(outer[r], outer[r + 1], { closed: false, s, t0: mix(0.12, 1, r / rows), t1: mix(0.12, 1, (r + 1) / rows), part: 'lid' });
  // The inside, seen at the corners when the lid opens wide.
  let inner = rim;
  for (let r = 1; r <= 2; r++) {
    const next = cage.ring(Array.from({ length: sides + 1 }, (_, i) => at(r, i, 4.92)), w);
    cage.loft(inner, next, { closed: false, s, t0: 0, t1: 0.1, part: 'lid' });
    inner = next;
  }
}
