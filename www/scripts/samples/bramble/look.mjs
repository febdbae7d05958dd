// Bramble's paint: what each point of the body looks like. In: the surface. Out: colour, bump and shine pictures.

import { clamp, distance, mix, noise3, smooth } from '../lib/math.mjs';
import { bake, mixColor, openness } from '../lib/paint.mjs';

export const ATLAS = {
  size: 512,
  inset: 3,
  charts: {
    tail: [0, 0, 150, 190], leg: [0, 192, 150, 150], arm: [0, 344, 150, 168],
    trunk: [152, 0, 232, 300], toe: [152, 302, 70, 60], claw: [224, 302, 40, 60], finger: [266, 302, 60, 60],
    leaf: [152, 364, 100, 148], tuft: [254, 424, 130, 88], horn: [328, 302, 56, 120],
    snout: [386, 0, 126, 90], chin: [386, 92, 126, 70], palate: [386, 164, 62, 60], floor: [450, 164, 62, 60],
    ear: [386, 226, 126, 120], lid: [386, 348, 60, 60], tooth: [448, 348, 24, 40], tongue: [474, 348, 38, 60],
  },
};

const DEEP = [34, 82, 78];
const GREEN = [74, 140, 92];
const LIME = [146, 184, 98];
const CREAM = [243, 224, 172];
const ORANGE = [228, 120, 46];
const GOLD = [252, 200, 92];
const ROSE = [142, 40, 56];
const PINK = [236, 132, 128];
const IVORY = [242, 231, 204];
const BROWN = [112, 80, 56];
const DARK = [30, 36, 38];

/** Scales: how far from the middle of the nearest cell (0 middle … 1 border), one cell per unit. */
function cells(x, y, z) {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  let [near, second] = [9, 9];
  for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) for (let c = -1; c <= 1; c++) {
    let h = Math.imul(i + a, 73856093) ^ Math.imul(j + b, 19349663) ^ Math.imul(k + c, 83492791);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h ^= h >>> 12;
    const dx = i + a + 0.5 + ((h & 255) / 255 - 0.5) * 0.7 - x;
    const dy = j + b + 0.5 + (((h >>> 8) & 255) / 255 - 0.5) * 0.7 - y;
    const dz = k + c + 0.5 + (((h >>> 16) & 255) / 255 - 0.5) * 0.7 - z;
    const d = dx * dx + dy * dy + dz * dz;
    if (d < near) [near, second] = [d, near];
    else if (d < second) second = d;
  }
  return 1 - clamp((Math.sqrt(second) - Math.sqrt(near)) * 2.4);
}

/** Where the cream of the belly begins, as the share of the half turn from the spine to the belly's middle. */
const bellyEdge = (part, t) => (part === 'tail' ? mix(0.62, 0.74, t) : t < 0.5 ? mix(0.74, 0.68, t * 2) : mix(0.68, 0.6, (t - 0.5) * 2));

const FRECKLES = [
  [-9, 12.5, 22, 1.5], [-4.6, 14, 27, 1.25], [-12, 10.6, 25.4, 1], [-2.6, 12.6, 32.6, 1.05], [-15.6, 8.4, 20.8, 0.9], [-7, 13, 29.6, 0.75],
  [-22, 6, 14.6, 1], [-28, 4.6, 12.4, 0.85], [-34, 3.8, 11.9, 0.7],
];

/** The trunk's colours from the spine (turn 0) to the belly's edge. */
const flank = (turn, edge) => mixColor(mixColor(DEEP, GREEN, smooth(0.02, 0.34, turn)), LIME, smooth(0.34, edge, turn) * 0.75);

/** How far round the trunk a point at a limb's root lies: `middle` and `back` are of the trunk's section there. */
const turnAt = (p, middle, back, depth) =>
  Math.acos(clamp(((p[0] - middle[0]) * back[0] + (p[2] - middle[1]) * back[1]) / depth, -1, 1)) / Math.PI;

function paint({ part, p: at, n, s, t, open }) {
  const p = [at[0], Math.abs(at[1]), at[2]];
  const wobble = noise3(p[0] * 0.35, p[1] * 0.35, p[2] * 0.35);
  const skin = part === 'trunk' || part === 'tail' || part === 'leg' || part === 'arm' || part === 'snout' || part === 'chin' || part === 'toe' || part === 'finger' || part === 'lid';
  const shared = part === 'toe' || part === 'finger' || part === 'claw' || part === 'tooth' || part === 'leaf';
  let color = GREEN;
  let height = 0;
  let shine = 0.12;
  let belly = 0;
  if (part === 'trunk' || part === 'tail' || part === 'snout' || part === 'chin') {
    // Snout and chin carry the trunk's colours on: their own charts measure from the middle line to the lips.
    const turn = part === 'snout' ? s / 2 : part === 'chin' ? 1 - s / 2 : s;
    const edge = part === 'snout' || part === 'chin' ? 0.6 : bellyEdge(part, t);
    color = flank(turn, edge);
    if (part === 'snout') color = mixColor(color, mixColor(GREEN, LIME, 0.55), smooth(0, 0.8, t) * 0.8);
    belly = smooth(edge - 0.012, edge + 0.022, turn + wobble * 0.012);
    color = mixColor(color, mixColor(CREAM, [226, 188, 128], smooth(1, edge, turn)), belly);
  }
  if (part === 'trunk' || part === 'tail') {
    // Stripes hang from the spine and end in points.
    const count = part === 'tail' ? 9 : 8;
    const body = part === 'tail' || t < 0.62;
    const band = Math.abs(((t * count + 0.25) % 1) - 0.5) * 2;
    const reach = 0.5 + 0.1 * Math.sin(Math.floor(t * count + 0.25) * 2.4);
    const stripe = body ? smooth(0.06, -0.06, band - 0.62 * (1 - s / reach)) : 0;
    color = mixColor(color, [26, 66, 68], stripe * 0.85 * (1 - belly));
    // Broad plates of the belly.
    const rows = part === 'tail' ? 12 : 17;
    const row = (t * rows) % 1;
    const groove = belly * (smooth(0.86, 0.97, row) + smooth(0.1, 0, row)) * smooth(1.02, 0.9, part === 'trunk' ? t + 0.24 : 0);
    color = mixColor(color, [188, 142, 92], groove * 0.55);
    height -= groove * 0.25;
  } else if (part === 'leg') {
    color = mixColor(GREEN, LIME, smooth(0.3, -0.8, n[1]) * 0.6);
    color = mixColor(flank(turnAt(p, [-7.8, 20.8], [-0.62, 0.78], 12), 0.74), color, smooth(0.02, 0.24, t));
    color = mixColor(color, DEEP, smooth(11, 3, p[2]) * 0.75);
    belly = smooth(0.7, -0.5, p[1] - mix(6.9, 8.5, smooth(12, 18, p[2])) + wobble * 0.3) * smooth(9, 14, p[2]) * smooth(-12, -7, p[0]);
    color = mixColor(color, mixColor(CREAM, [226, 188, 128], 0.7), belly);
    const bands = smooth(0.22, 0.12, Math.abs(((p[2] * 0.3 + 0.1) % 1) - 0.5)) * smooth(-0.05, -0.5, n[0]) * smooth(4, 7, p[2]) * smooth(21, 17, p[2]);
    color = mixColor(color, [26, 66, 68], bands * 0.7);
  } else if (part === 'arm') {
    color = mixColor(GREEN, LIME, smooth(0.3, -0.7, n[2]) * 0.8);
    color = mixColor(flank(turnAt(p, [1.2, 35.6], [-1, 0], 10.8), 0.68), color, smooth(0.02, 0.2, t));
    color = mixColor(color, DEEP, smooth(0.5, 0.95, t) * 0.75);
    const bands = smooth(0.22, 0.12, Math.abs(((t * 6 + 0.3) % 1) - 0.5)) * smooth(0, 0.5, n[1] * 0.6 + n[2] * 0.7 - n[0] * 0.4) * smooth(0.02, 0.12, t) * smooth(0.75, 0.6, t);
    color = mixColor(color, [26, 66, 68], bands * 0.7);
  } else if (part === 'toe' || part === 'finger') {
    color = mixColor(mixColor(GREEN, DEEP, 0.75), mixColor(GREEN, LIME, 0.3), smooth(0.45, 0.95, t));
  } else if (part === 'lid') {
    color = mixColor(DEEP, GREEN, smooth(0.12, 0.7, t));
    color = mixColor(color, DARK, smooth(0.13, 0.08, t));
  } else if (part === 'palate' || part === 'floor') {
    color = mixColor(ROSE, [92, 20, 40], smooth(0.6, 0, t));
    color = mixColor(color, PINK, smooth(0.82, 1, s) * smooth(0.1, 0.4, t) * 0.6);
    height = 0.12 * Math.sin(t * 60) * smooth(0.9, 0.5, s);
    shine = 0.5;
  } else if (part === 'tongue') {
    color = mixColor([206, 78, 92], [238, 128, 132], smooth(0.1, 0.9, t));
    height = -0.4 * smooth(0.09, 0, Math.abs(s - 0.25));
    color = mixColor(color, [176, 58, 76], smooth(0.07, 0, Math.abs(s - 0.25)) * 0.7);
    shine = 0.6;
  } else if (part === 'horn') {
    const ring = 0.5 + 0.5 * Math.cos(t * 62 * (1 - 0.25 * t));
    const low = smooth(0.75, 0.2, t);
    color = mixColor(IVORY, BROWN, smooth(0.5, 0, t) * 0.85);
    color = mixColor(color, [74, 50, 38], ring * low * 0.5);
    height = -ring * low * 0.22;
    shine = 0.45;
  } else if (part === 'claw') {
    color = mixColor([92, 70, 56], IVORY, smooth(0.25, 0.95, t));
    shine = 0.55;
  } else if (part === 'tooth') {
    color = mixColor([232, 214, 170], [255, 252, 240], smooth(0.2, 0.7, t));
    shine = 0.7;
  } else if (part === 'ear') {
    const front = s < 0.5;
    const across = Math.abs((s % 0.5) - 0.25) / 0.25;
    color = mixColor(GREEN, DEEP, smooth(0.2, 0.9, t) * 0.8);
    if (front) {
      const inner = smooth(0.66, 0.56, across) * smooth(0.98, 0.9, t);
      color = mixColor(color, mixColor(PINK, CREAM, smooth(0.2, 0.95, t) * 0.75), inner);
      const vein = smooth(0.1, 0.02, Math.abs(((t * 7 - across * 1.6 + 4) % 1) - 0.5)) * inner * smooth(0, 0.15, across);
      color = mixColor(color, [206, 96, 98], vein * 0.45);
      height = -inner * 0.5 + vein * 0.12;
    }
  } else if (part === 'leaf' || part === 'tuft') {
    const across = Math.abs((s % 0.5) - 0.25) / 0.25;
    color = mixColor(ORANGE, GOLD, smooth(0.25, 0.95, t));
    color = mixColor([164, 62, 34], color, smooth(0.02, 0.4, t));
    color = mixColor(color, [190, 74, 36], smooth(0.75, 1, across) * 0.5);
    const middle = smooth(0.12, 0.03, across);
    const vein = Math.max(middle, smooth(0.16, 0.05, Math.abs(((t * (part === 'tuft' ? 8 : 5) - across * 1.5 + 4) % 1) - 0.5)) * smooth(0.95, 0.6, across) * 0.7);
    color = mixColor(color, [255, 226, 140], vein * 0.6);
    height = vein * 0.16;
    shine = 0.25;
  }
  if (skin) {
    if (part === 'trunk' || part === 'tail') {
      for (const [x, y, z, r] of FRECKLES) {
        const d = distance(p, [x, y, z]) / r;
        if (d < 3) {
          const spot = smooth(1.15, 0.95, d - 0.5 + wobble * 0.1);
          color = mixColor(color, GOLD, spot * 0.9 * (1 - belly));
        }
      }
    }
    // Face: sockets, blush, brow and nostrils.
    const socket = distance(p, [10.2, 6.2, 56.8]);
    if (part === 'trunk' || part === 'snout') {
      color = mixColor(color, DEEP, smooth(7.6, 5.6, socket) * 0.75);
      color = mixColor(color, PINK, smooth(4.2, 1.4, distance(p, [12.6, 11, 51.6])) * 0.6);
      const brow = smooth(0.4, -0.4, Math.abs(p[1]) + Math.abs(p[0] - 8) * 0.42 - 3.2) * smooth(57, 59, p[2]);
      color = mixColor(color, GOLD, brow * 0.8);
      const nostril = Math.sqrt(((p[0] - 22.1) / 1.5) ** 2 + ((p[1] - 2.5) / 0.85) ** 2 + ((p[2] - 52.6) / 1.6) ** 2);
      color = mixColor(color, DARK, smooth(1.05, 0.75, nostril));
      height += (-smooth(1.1, 0.5, nostril) + smooth(0.5, 0, Math.abs(nostril - 1.3)) * 0.4) * 0.6;
      color = mixColor(color, [110, 46, 44], part === 'snout' ? smooth(0.97, 1, s) * 0.5 : 0);
    }
    const size = part === 'snout' || part === 'chin' || part === 'finger' ? 1.05 : 1.4;
    const border = cells(p[0] / size + wobble * 0.2, p[1] / size, p[2] / size);
    const scales = smooth(0.55, 0.98, border) * (1 - belly * 0.9) * (part === 'chin' || part === 'lid' || shared ? 0.4 : 1);
    height -= scales * 0.16;
    color = color.map((c) => c * (1 - scales * 0.13));
    color = color.map((c) => c * (1 + noise3(p[0] * 0.16 + 9, p[1] * 0.16, p[2] * 0.16) * 0.06));
    shine = 0.16 + 0.16 * (1 - scales) * (1 - belly * 0.6);
  }
  const shade = mix(0.42, 1, smooth(0, 0.92, shared ? 0.9 : open));
  return { color: color.map((c) => c * shade), height, shine: shine * shade };
}

/** The eye: one disc, seen from the front; the outer half is the ball's back. */
export function eyePicture(size = 256) {
  const data = new Uint8Array(size * size * 3);
  const over = 3;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sum = [0, 0, 0];
      for (let j = 0; j < over; j++) {
        for (let i = 0; i < over; i++) {
          const u = ((x + (i + 0.5) / over) / size - 0.5) * 2;
          const v = ((y + (j + 0.5) / over) / size - 0.5) * 2;
          const r = Math.sqrt(u * u + v * v);
          const a = Math.atan2(v, u);
          let c = mixColor([250, 244, 230], [196, 150, 130], smooth(0.4, 0.75, r));
          const ray = 0.5 + 0.5 * Math.sin(a * 23 + 2 * Math.sin(a * 7));
          let iris = mixColor([255, 204, 74], [206, 92, 24], smooth(0.06, 0.27, r));
          iris = mixColor(iris, [255, 236, 150], ray * 0.3 * smooth(0.28, 0.16, r));
          iris = mixColor(iris, [70, 26, 18], smooth(0.24, 0.285, r));
          c = mixColor(c, iris, smooth(0.3, 0.28, r));
          // What the lid leaves bare when it closes is skin.
          const up = Math.sin(Math.PI * Math.min(1, r)) * (r > 0 ? -v / r : 0);
          c = mixColor(c, [30, 74, 66], smooth(0.56, 0.66, up) * smooth(0.34, 0.38, r));
          // A tall round pupil.
          const pupil = Math.sqrt((u / 0.115) ** 2 + (v / 0.165) ** 2);
          c = mixColor(c, [18, 12, 14], smooth(1.06, 0.94, pupil));
          const glint = Math.sqrt(((u + 0.075) / 0.062) ** 2 + ((v + 0.105) / 0.062) ** 2);
          c = mixColor(c, [255, 255, 255], smooth(1.1, 0.9, glint));
          const small = Math.sqrt(((u - 0.08) / 0.03) ** 2 + ((v - 0.1) / 0.03) ** 2);
          c = mixColor(c, [255, 246, 224], smooth(1.1, 0.9, small) * 0.8);
          for (let k = 0; k < 3; k++) sum[k] += c[k];
        }
      }
      for (let k = 0; k < 3; k++) data[(y * size + x) * 3 + k] = Math.round(sum[k] / over / over);
    }
  }
  return { width: size, height: size, data };
}

/** Bakes the atlas of skin and hard parts together, so that each shades the other. */
export function pictures(body) {
  const surface = { points: [], corners: [], triangles: [] };
  for (const part of [body.skin, body.hard, body.eyes]) {
    const [p, c] = [surface.points.length, surface.corners.length];
    surface.points.push(...part.points);
    surface.corners.push(...part.corners.map((k) => ({ ...k, point: k.point + p })));
    surface.triangles.push(...part.triangles.map((t) => t.map((i) => i + c)));
  }
  const open = openness(surface);
  surface.triangles = surface.triangles.filter((t) => surface.corners[t[0]].part !== 'eye');
  return bake(surface, ATLAS, open, paint, { bumps: true });
}
