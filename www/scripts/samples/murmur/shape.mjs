// Murmur, a gnome's head and shoulders for Source: smooth weights, and a face whose shapes move its points.
// Out: the skeleton, the surface by materials, and the shapes.

import { add, axisAngle, cross, DEG, distance, mix, scale, smooth, sub, turn, unit } from '../lib/math.mjs';
import { Cage, curve, mirrorFaces, orient, sweep, triangulate, tube } from '../lib/mesh.mjs';
import { Rig } from '../lib/rig.mjs';
import { lens, torus, turned } from '../lib/solids.mjs';

const toRight = (name) => name.replace(/_l$/, '_r');
const HEAD = [0, 0, 21];
const EYE = [5.9, 3.15, 24];
const EYE_R = 2.05;
const HINGE = [-0.6, 0, 18.6];

export const rig = new Rig([
  ['bust', null, [0, 0, 0]],
  ['neck', 'bust', [-0.6, 0, 9]],
  ['head', 'neck', [-0.4, 0, 15]],
  ['jaw', 'head', HINGE, [8, 0, 13]],
  ['hat1', 'head', [-1.2, 0, 29]],
  ['hat2', 'hat1', [-3.4, 0, 35]],
  ['hat3', 'hat2', [-8.6, 0, 38.4]],
  ['bobble', 'hat3', [-13.6, 0, 35.6], [-14.6, 0, 33]],
  ['ear_l', 'head', [-0.8, 7, 21.8], [-4, 12.6, 24.8]],
  ['eye_l', 'head', EYE, add(EYE, [3, 0.3, 0])],
  ['ear_r', 'head', [-0.8, -7, 21.8], [-4, -12.6, 24.8]],
  ['eye_r', 'head', [EYE[0], -EYE[1], EYE[2]], [EYE[0] + 3, -EYE[1] - 0.3, EYE[2]]],
]);

const bump = (d, width) => Math.exp(-((d / width) ** 2));

// The face is drawn in rings around the mouth, so that the points are densest where it moves.
const MOUTH = unit([1, 0, -0.52]);
const UP = unit(sub([0, 0, 1], scale(MOUTH, MOUTH[2])));
const RINGS = [[0.36, 0.02], [0.4, 0.075], [0.45, 0.15], [0.52, 0.25], [0.62, 0.38], [0.74, 0.52], [0.88, 0.68], [1.02, 0.86], [1.18, 1.06], [1.36, 1.28], [1.56, 1.52], [1.78, 1.76], [2.02, 2.02], [2.3, 2.3], [2.6, 2.6], [2.9, 2.9]];
const AROUND = 32;

/** Where the face's surface lies in direction `d` from the middle of the head. */
function face(d) {
  const p = [d[0] * 8.2, d[1] * 7.5, d[2] * 9];
  const at = (x, y, z) => distance([p[0], Math.abs(p[1]), p[2]], [x, y, z]);
  let out = 0;
  out += 0.9 * bump(at(6.4, 3.9, -1.6), 2.3); // cheeks
  out -= 1.25 * bump(at(6.6, 3.1, 3), 1.9); // eye sockets
  out += 0.75 * bump(at(6.2, 2.6, 5.6), 2); // brow
  out += 1.5 * bump(at(5.6, 0, -7.2), 2.8); // chin
  out += 0.5 * bump(at(7.9, 0, 1.2), 1.8); // root of the nose
  out -= 0.5 * bump(at(2, 6.6, -6), 3); // hollow under the cheeks
  return add(p, scale(d, out));
}

export function build() {
  const skin = new Cage();
  const head = (p) => {
    // The jaw pulls the chin; towards the throat and the ears it lets go.
    const low = smooth(-2.2, -5.4, p[2] - HEAD[2]) * smooth(-1.5, 4.5, p[0]);
    return { head: 1 - low * 0.9, jaw: low * 0.9 };
  };
  const rows = RINGS.map(([wide, high], j) =>
    Array.from({ length: AROUND }, (_, i) => {
      const a = (2 * Math.PI * i) / AROUND;
      // A mouth that smiles a little: its corners sit higher than its middle.
      const [y, z] = [wide * Math.cos(a), high * Math.sin(a) + 0.1 * Math.cos(a) ** 2 * bump(j, 4) - 0.05 * bump(j, 4)];
      const angle = Math.sqrt(y * y + z * z);
      const d = angle < 1e-6 ? MOUTH : add(scale(MOUTH, Math.cos(angle)), add(scale([0, 1, 0], (Math.sin(angle) * y) / angle), scale(UP, (Math.sin(angle) * z) / angle)));
      // Lips stand out.
      const lip = j === 1 ? 0.5 : j === 2 ? 0.42 : j === 0 ? 0.05 : j === 3 ? 0.1 : 0;
      return add(HEAD, add(face(unit(d)), scale(MOUTH, lip)));
    }),
  );
  const lower = (i) => Math.max(0, -Math.sin((2 * Math.PI * i) / AROUND));
  const rings = rows.map((row, j) => skin.ring(row, (i) => {
    const own = head(row[i]);
    if (j > 6) return own;
    // Near the mouth the lips decide: upper ones stay, lower ones go with the jaw.
    const jaw = mix(smooth(0.02, 0.35, lower(i)), own.jaw / 0.9, smooth(2, 6.5, j)) * 0.95;
    return { head: 1 - jaw, jaw };
  }));
  const s = (i) => i / AROUND;
  for (let j = 0; j + 1 < rings.length; j++) skin.loft(rings[j], rings[j + 1], { s, t0: j / (rings.length - 1), t1: (j + 1) / (rings.length - 1), part: 'face' });
  const crown = skin.point(add(HEAD, face(scale(MOUTH, -1))), { head: 1 });
  rings[15].forEach((_, i) => skin.face([rings[15][i], rings[15][(i + 1) % AROUND], crown], [[s(i), 1], [s(i + 1), 1], [0.5, 1]], 'face'));
  // Inside of the mouth.
  let last = rings[0];
  const cave = [[0.95, 0.5, 1], [0.85, 1.6, 2.4], [0.5, 1.4, 4.4]];
  const middle = add(HEAD, face(MOUTH));
  cave.forEach(([wide, high, deep], k) => {
    const next = skin.ring(
      rows[0].map((p, i) => {
        const a = (2 * Math.PI * i) / AROUND;
        const y = (p[1] - middle[1]) * wide;
        return add(add([middle[0], y, middle[2]], scale(MOUTH, -deep)), scale(UP, high * 0.6 * Math.sin(a)));
      }),
      (i) => ({ head: 1 - smooth(0.02, 0.35, lower(i)) * 0.95, jaw: smooth(0.02, 0.35, lower(i)) * 0.95 }),
    );
    skin.loft(last, next, { s, t0: k / 4, t1: (k + 1) / 4, part: 'mouth' });
    last = next;
  });
  const throat = skin.point(add(middle, scale(MOUTH, -5)), { head: 0.6, jaw: 0.4 });
  last.forEach((_, i) => skin.face([last[i], last[(i + 1) % AROUND], throat], [[s(i), 0.75], [s(i + 1), 0.75], [0.5, 1]], 'mouth'));

  const parts = new Cage();
  // Ears, eyes, lids and brows of the left side, mirrored.
  const ear = curve([[-0.4, 5.8, 20.6], [-1, 8, 21.8], [-2.2, 10.6, 23.4], [-4.2, 13.6, 25.6]], 8);
  tube(parts, sweep(ear, { up: unit([1, 0.5, 0.2]), radius: (t) => [0.3, 2.2, 2.7, 2.8, 2.4, 1.7, 0.9, 0.05][Math.round(t * 7)], thin: () => 0.35, w: (t) => ({ head: 1 - smooth(0, 0.45, t), ear_l: smooth(0, 0.45, t) }) }), 8, 'ear');
  const look = unit([1, 0.1, 0]);
  eyeball(parts, EYE, look, EYE_R);
  lids(parts);
  const brow = curve([[7.9, 0.9, 26.8], [8.1, 2.4, 27.9], [7.3, 4.4, 27.9], [5.6, 6, 26.6]], 8);
  tube(parts, sweep(brow, { up: [0, 0, 1], radius: (t) => [0.15, 0.85, 1.05, 1.1, 1, 0.85, 0.6, 0.05][Math.round(t * 7)], wide: () => 0.75, w: { head: 1 } }), 8, 'brow', 1, true);
  mirrorFaces(parts, 0, toRight);
  // The nose: a round tip on a short bridge, and its wings.
  const nose = curve([[5.6, 0, 26], [7, 0, 24.4], [8.4, 0, 22.6], [9.7, 0, 21.2], [10.2, 0, 20.2], [9.6, 0, 19.4], [7.6, 0, 19.4]], 11);
  tube(parts, sweep(nose, { up: [0, 1, 0], radius: (t) => [0.2, 0.9, 1, 1.12, 1.34, 1.62, 1.86, 1.9, 1.76, 1.35, 0.2][Math.round(t * 10)], w: { head: 1 } }), 12, 'nose', 1, true);
  for (const k of [1, -1]) {
    tube(parts, sweep(curve([[7.2, 0.9 * k, 20.9], [8.3, 1.7 * k, 20.3], [8.9, 1.6 * k, 19.7], [8.1, 1 * k, 19.2]], 5), { up: [0, 0, 1], radius: (t) => [0.2, 0.8, 0.85, 0.6, 0.1][Math.round(t * 4)], w: { head: 1 } }), 8, 'wing', k, true);
    // Two big front teeth.
    tube(parts, sweep(curve([[7.5, 0.75 * k, 17.3], [7.6, 0.75 * k, 16.6], [7.7, 0.72 * k, 15.4], [7.7, 0.7 * k, 15]], 5), { up: [1, 0, 0], radius: (t) => [0.3, 0.75, 0.75, 0.68, 0.2][Math.round(t * 4)], thin: () => 0.4, w: { head: 1 } }), 8, 'tooth', k, true);
  }
  const tongue = curve([[3.6, 0, 14.6], [5, 0, 15], [6.4, 0, 14.8], [7, 0, 14.4]], 5);
  tube(parts, sweep(tongue, { radius: (t) => [0.3, 1.6, 1.8, 1.4, 0.2][Math.round(t * 4)], thin: () => 0.35, w: { jaw: 1 } }), 8, 'tongue', 1, true);
  // Neck, scarf, shoulders.
  turned(parts, { at: [-0.6, 0, 0], axis: [0, 0, 1], up: [0, 1, 0], profile: [[6, 0], [7, 4.2], [10, 3.9], [13, 4.1], [15.5, 4.6], [16, 0]], sides: 12, part: 'neck', w: { neck: 1 } });
  const w = (z) => ({ bust: 1 - smooth(5.5, 9, z), neck: smooth(5.5, 9, z) * (1 - smooth(11, 15, z)), head: smooth(11, 15, z) });
  for (const p of parts.points.slice(-50)) if (p.w.neck === 1) p.w = w(p.p[2]);
  torus(parts, { at: [-0.2, 0, 9.9], normal: [0.08, 0, 1], up: [0, 1, 0], a: 5, b: 5.2, r: 1.7, h: 1.5, sides: 18, round: 6, part: 'scarf', w: { bust: 0.35, neck: 0.65 } });
  torus(parts, { at: [0.1, 0, 8], normal: [-0.1, 0.06, 1], up: [0, 1, 0], a: 5.7, b: 6.2, r: 1.8, h: 1.5, sides: 18, round: 6, part: 'scarf', w: { bust: 0.75, neck: 0.25 } });
  const tail = curve([[5.2, 2.6, 9.4], [6.9, 3.2, 7.4], [7.4, 3.6, 4], [7, 3.8, 0.4]], 7);
  tube(parts, sweep(tail, { up: [1, 0, 0], radius: (t) => [0.3, 1.6, 1.8, 1.8, 1.9, 2, 0.3][Math.round(t * 6)], thin: () => 0.42, w: { bust: 1 } }), 8, 'tail', 1, true);
  turned(parts, { at: [-0.8, 0, 0], axis: [0, 0, 1], up: [0, 1, 0], profile: [[-4.4, 0], [-4.2, 5], [-2.6, 6.6], [1, 7.1], [4.2, 6.4], [6.6, 4.8], [8, 3.4], [8.2, 0]], stretch: 1.5, sides: 18, part: 'coat', w: { bust: 1 } });
  for (const z of [3.4, 0.4, -2.4]) lens(parts, { at: [z > 2 ? 5.6 : 6.1, -0.5, z], normal: [1, 0, 0.12], a: 0.75, depth: 0.55, sides: 8, part: 'button', w: { bust: 1 } });
  // The hat: a brim, a cone that bends and droops, a bobble.
  const hat = curve([[0.2, 0, 25.6], [-0.6, 0, 27.6], [-1.6, 0, 31.2], [-3.4, 0, 35.2], [-6.6, 0, 38.2], [-10.4, 0, 38.2], [-13.4, 0, 35.8]], 12);
  const hatR = [1, 7.9, 7.5, 6.7, 5.8, 4.9, 4, 3.2, 2.5, 1.8, 1.1, 0.2];
  tube(parts, sweep(hat, { up: [0, 1, 0], radius: (t) => hatR[Math.round(t * 11)], wide: (t) => mix(1.06, 1, t), w: (t) => ({ head: 1 - smooth(0.15, 0.45, t), hat1: smooth(0.15, 0.45, t) * (1 - smooth(0.4, 0.66, t)), hat2: smooth(0.4, 0.66, t) * (1 - smooth(0.6, 0.9, t)), hat3: smooth(0.6, 0.9, t) }) }), 14, 'hat', 1, true);
  torus(parts, { at: [0, 0, 27.5], normal: unit([-0.28, 0, 1]), up: [0, 1, 0], a: 8, b: 7.6, r: 1.15, h: 1.7, sides: 20, round: 6, part: 'brim', w: { head: 1 } });
  turned(parts, { at: [-14, 0, 34.8], axis: [0, 0, 1], up: [0, 1, 0], profile: [[-2.2, 0], [-1.9, 1.1], [-1, 1.95], [0, 2.2], [1, 1.95], [1.9, 1.1], [2.2, 0]], sides: 10, part: 'bobble', w: { bobble: 1 } });
  orient(skin);
  orient(parts);
  return { skin: triangulate(skin), parts: triangulate(parts) };
}

function eyeball(cage, center, look, radius) {
  const up = unit(sub([0, 0, 1], scale(look, look[2])));
  const side = cross(look, up);
  const [rows, sides] = [6, 12];
  const w = { eye_l: 1 };
  const point = (row, i) => {
    const a = (Math.PI * row) / rows;
    const b = (2 * Math.PI * i) / sides;
    return { p: add(center, scale(add(scale(look, Math.cos(a)), add(scale(side, Math.sin(a) * Math.cos(b)), scale(up, Math.sin(a) * Math.sin(b)))), radius)), st: [0.5 + (row / rows) * 0.5 * Math.cos(b), 0.5 - (row / rows) * 0.5 * Math.sin(b)] };
  };
  const front = cage.point(point(0, 0).p, w);
  const rings = [];
  for (let row = 1; row < rows; row++) rings.push(cage.ring(Array.from({ length: sides }, (_, i) => point(row, i).p), w));
  for (let i = 0; i < sides; i++) {
    const j = (i + 1) % sides;
    cage.face([front, rings[0][i], rings[0][j]], [[0.5, 0.5], point(1, i).st, point(1, j).st], 'eye');
    for (let r = 0; r + 1 < rings.length; r++) cage.face([rings[r][i], rings[r + 1][i], rings[r + 1][j], rings[r][j]], [point(r + 1, i).st, point(r + 2, i).st, point(r + 2, j).st, point(r + 1, j).st], 'eye');
  }
}

/** Upper and lower lid: slices of a dome, their rims first. */
function lids(cage) {
  const sides = 10;
  for (const [rim, end, rows, part] of [[36, 120, 5, 'lid'], [-40, -110, 3, 'lid2']]) {
    const ring = (a, radius) => cage.ring(
      Array.from({ length: sides + 1 }, (_, i) => {
        const b = mix(-92, 92, i / sides) * DEG;
        const d = [Math.cos(b) * Math.cos(a * DEG), Math.sin(b), Math.cos(b) * Math.sin(a * DEG)];
        return add(EYE, scale(turn(axisAngle([0, 0, 1], 6 * DEG), d), radius));
      }),
      { head: 1 },
    );
    const s = (i) => i / sides;
    let last = ring(rim, EYE_R + 0.03);
    for (let r = 0; r <= rows; r++) {
      const next = ring(mix(rim, end, r / rows), EYE_R + 0.3 - 0.1 * (r / rows));
      cage.loft(last, next, { closed: false, s, t0: r === 0 ? 0 : mix(0.15, 1, (r - 1) / rows), t1: mix(0.15, 1, r / rows), part });
      last = next;
    }
  }
}

/** How each shape moves a point: (p, part, side) → new p, or the same. */
export const SHAPES = [
  ['smile', (p, part, k) => {
    if (part === 'lid2') return swing(p, k, 9);
    if (!near(part)) return p;
    const corner = bump(distance(p, [6.6, 3.2 * k, 17.6]), 2.3);
    const cheek = bump(distance(p, [7.2, 4.4 * k, 20]), 2.4);
    return add(p, [-0.7 * corner + 0.25 * cheek, (1.15 * corner + 0.15 * cheek) * k, 1.5 * corner + 0.6 * cheek]);
  }],
  ['frown', (p, part, k) => {
    if (part === 'brow') return add(p, [0.15, 0, -1.5 * smooth(4.6, 0.8, Math.abs(p[1])) + 0.25 * smooth(3.4, 6, Math.abs(p[1]))]);
    if (!near(part)) return p;
    const corner = bump(distance(p, [6.6, 3.2 * k, 17.6]), 2.2);
    const chin = bump(distance(p, [7.6, 0, 14.4]), 1.9);
    const brow = bump(distance(p, [7.4, 1.6 * k, 26.6]), 2.2);
    return add(p, [-0.2 * corner + 0.2 * chin, -0.1 * corner * k, -1.5 * corner + 0.5 * chin - 0.7 * brow]);
  }],
  ['blink', (p, part, k) => (part === 'lid' ? swing(p, k, -43) : part === 'lid2' ? swing(p, k, 31) : p)],
  ['jaw_open', (p, part, k, jaw) => {
    if (!near(part) && part !== 'tongue' && part !== 'mouth') return p;
    const t = turn(axisAngle([0, 1, 0], 19 * jaw * DEG), sub(p, HINGE));
    return add(HINGE, t);
  }],
  ['brows_up', (p, part, k) => {
    if (part === 'brow') return add(p, [0.1, 0, 0.95]);
    if (part === 'lid') return swing(p, k, 10);
    if (!near(part)) return p;
    return add(p, [0, 0, 1.1 * bump(distance(p, [6.6, 3.2 * k, 27.4]), 2.4)]);
  }],
  ['pucker', (p, part) => {
    if (!near(part) && part !== 'mouth') return p;
    const d = sub(p, [8, 0, 17]);
    const mouth = bump(Math.sqrt((d[0] * 0.6) ** 2 + d[1] ** 2 + (d[2] * 0.9) ** 2), 2.9);
    return add(p, [1.1 * mouth, -p[1] * 0.42 * mouth, 0]);
  }],
];

const near = (part) => part === 'face';
/** Turns a lid's point about the axis across its eye; degrees > 0 lift. */
function swing(p, k, degrees) {
  const eye = [EYE[0], EYE[1] * k, EYE[2]];
  const axis = turn(axisAngle([0, 0, 1], 6 * k * DEG), [0, 1, 0]);
  return add(eye, turn(axisAngle(axis, -degrees * DEG), sub(p, eye)));
}
