// Murmur's paint: skin, wool and eyes. In: the surface. Out: pictures.

import { distance, mix, noise3, smooth } from '../lib/math.mjs';
import { mixColor } from '../lib/paint.mjs';

export const SKIN = {
  size: 512,
  inset: 3,
  charts: { face: [0, 0, 340, 400], mouth: [342, 0, 120, 80], ear: [342, 82, 120, 130], nose: [342, 214, 120, 110], wing: [122, 402, 60, 60], lid: [342, 326, 80, 50], lid2: [424, 326, 80, 40], brow: [342, 378, 120, 50], neck: [0, 402, 120, 60], tooth: [464, 0, 44, 60], tongue: [464, 62, 44, 60] },
};
export const CLOTH = {
  size: 512,
  inset: 3,
  charts: { hat: [0, 0, 300, 250], brim: [0, 252, 300, 70], scarf: [0, 324, 300, 60], tail: [302, 120, 100, 130], coat: [0, 386, 300, 126], button: [404, 120, 60, 60], bobble: [302, 0, 110, 110] },
};
export const material = (part) => (part === 'eye' ? 'eye' : part in SKIN.charts ? 'skin' : 'cloth');

const ROSY = [226, 116, 96];
const FLESH = [238, 178, 142];
const DEEP = [176, 98, 78];

export function skinPaint({ part, p: at, n, s, t, open }) {
  const p = [at[0], Math.abs(at[1]), at[2]];
  const spot = noise3(p[0] * 0.5, p[1] * 0.5, p[2] * 0.5);
  let c = mixColor(FLESH, DEEP, smooth(0.3, -0.9, n[2]) * 0.35);
  const blush = (x, y, z, r, k) => (c = mixColor(c, ROSY, smooth(r, r * 0.2, distance(p, [x, y, z])) * k));
  if (part === 'mouth') return { color: mixColor([150, 52, 54], [58, 14, 22], smooth(0, 0.6, t)) };
  if (part === 'tongue') return { color: mixColor([176, 66, 76], [228, 116, 118], smooth(0.2, 0.9, t)) };
  if (part === 'tooth') return { color: mixColor([246, 238, 214], [222, 200, 150], smooth(0.5, 0, t)) };
  if (part === 'brow') {
    const hair = Math.sin(t * 70 + s * 9 + 2 * noise3(p[0] * 3, p[1] * 3, p[2] * 3));
    return { color: mixColor([188, 188, 186], [250, 250, 246], 0.5 + 0.5 * hair).map((x) => x * mix(0.75, 1, smooth(-0.8, 0.6, n[2]))) };
  }
  if (part === 'face') {
    blush(7.2, 4.6, 19.6, 3.6, 0.75);
    blush(7, 0, 13.6, 3, 0.35);
    // Lips, lids' shade, wrinkles of the forehead and of laughter.
    const lips = smooth(0.2, 0.13, t) * smooth(0.0, 0.03, t + 0.02);
    c = mixColor(c, [188, 82, 78], lips * 0.8);
    c = mixColor(c, [120, 40, 44], smooth(0.025, 0, t) * 0.8);
    c = mixColor(c, DEEP, smooth(3.6, 2.2, distance(p, [6.6, 3.15, 24])) * 0.45);
    const line = (d) => smooth(0.22, 0.04, Math.abs(d));
    const forehead = smooth(27.4, 28, p[2]) * smooth(5.4, 3.4, p[1]) * (p[0] > 2 ? 1 : 0);
    c = mixColor(c, DEEP, line(((p[2] * 1 + 0.12 * p[1] * p[1] * 0.3) % 1.1) - 0.5) * forehead * 0.35);
    const smile = line(distance(p, [8.6, 0, 17.6]) - 4.7) * smooth(1.6, 2.4, p[1]) * smooth(22, 20, p[2]) * smooth(15.4, 16.6, p[2]);
    c = mixColor(c, DEEP, smile * 0.35);
    const crow = smooth(6.2, 6.6, p[1]) * smooth(7.4, 7, p[1]) * line(((p[2] - 24) * 1.1 + (p[1] - 6) * 0.4) % 1) * smooth(2, 1.2, Math.abs(p[2] - 24));
    c = mixColor(c, DEEP, crow * 0.4);
    // Freckles, and stubble on the chin.
    const freckle = smooth(0.56, 0.7, noise3(p[0] * 3.4 + 3, p[1] * 3.4, p[2] * 3.4)) * smooth(4, 2, distance(p, [7.4, 3.6, 21.4]));
    c = mixColor(c, [190, 104, 72], freckle * 0.5);
    const stubble = smooth(17, 13.4, p[2]) * smooth(0, 4, p[0]) * (1 - lips) * smooth(0.16, 0.24, t);
    c = mixColor(c, [150, 140, 136], stubble * (0.3 + 0.14 * noise3(p[0] * 4, p[1] * 4, p[2] * 4)));
    // White hair under the hat.
    const lock = 0.7 * Math.sin(p[0] * 2.2 + p[1] * 1.7) + 0.5 * noise3(p[0] * 2, p[1] * 2, p[2]);
    const hair = smooth(19.8, 20.8, p[2] + lock - smooth(-1.2, 1.6, p[0]) * 3.4) * smooth(2.6, 1.4, p[0]);
    c = mixColor(c, mixColor([190, 190, 188], [246, 246, 242], 0.5 + 0.5 * Math.sin(p[0] * 5 + p[1] * 3 + p[2] * 1.5)), hair);
  } else if (part === 'nose' || part === 'wing') {
    blush(10.6, 0, 20.6, 2.6, 0.85);
    const nostril = distance(p, [9.2, 0.9, 18.6]);
    c = mixColor(c, [86, 36, 34], smooth(0.7, 0.4, nostril));
    c = mixColor(c, [250, 214, 190], smooth(1, 0.2, distance(p, [11.4, 0.7, 21.6])) * 0.55);
  } else if (part === 'ear') {
    const across = Math.abs((s % 0.5) - 0.25) / 0.25;
    c = mixColor(c, ROSY, smooth(0.35, 0.95, t) * 0.6);
    if (s < 0.5) c = mixColor(c, [186, 92, 80], smooth(0.62, 0.3, across) * smooth(0.9, 0.6, t) * 0.75);
  } else if (part === 'lid' || part === 'lid2') {
    c = mixColor(c, ROSY, 0.25);
    c = mixColor(c, [110, 58, 48], smooth(0.2, 0.08, t) * 0.85);
  }
  c = c.map((x) => x * (1 + spot * 0.05));
  const shade = mix(0.42, 1, smooth(0, 0.9, part === 'lid' || part === 'lid2' ? Math.max(open, 0.75) : open));
  return { color: c.map((x, k) => x * mix([1, 0.9, 0.88][k] * shade, 1, shade)) };
}

/** Knitted wool: rows of small v's. */
function knit(a, b) {
  const row = b % 1;
  const v = Math.abs((((a + (row - 0.5) * 0.0) % 1) + 1) % 1 - 0.5) * 2;
  return 0.72 + 0.28 * smooth(0, 0.6, 1 - Math.abs((((row + v * 0.5) % 1) + 1) % 1 - 0.5) * 2);
}

export function clothPaint({ part, p, n, s, t, open }) {
  const light = mix(0.72, 1, smooth(-0.9, 0.7, n[2]));
  let c = [180, 50, 50];
  if (part === 'hat') {
    const stripe = Math.abs(((t * 5.5) % 1) - 0.5);
    c = mixColor([176, 44, 46], [236, 220, 186], smooth(0.16, 0.13, stripe));
    c = c.map((x) => x * knit(s * 40, t * 44));
  } else if (part === 'brim') {
    c = [236, 222, 190].map((x) => x * (0.78 + 0.22 * smooth(0, 0.5, Math.abs(((t * 60) % 1) - 0.5) * 2)));
  } else if (part === 'bobble') {
    c = mixColor([206, 190, 158], [252, 244, 220], 0.5 + 0.5 * noise3(p[0] * 3, p[1] * 3, p[2] * 3));
  } else if (part === 'scarf' || part === 'tail') {
    const k = part === 'tail' ? t * 4 : t * 11;
    c = mixColor([52, 104, 92], [226, 176, 76], smooth(0.24, 0.2, Math.abs((k % 1) - 0.5)));
    c = c.map((x) => x * knit(s * 18, part === 'tail' ? t * 26 : t * 90));
    if (part === 'tail') c = mixColor(c, [226, 176, 76], smooth(0.93, 0.95, t));
  } else if (part === 'coat') {
    const weave = noise3(p[0] * 2.2, p[1] * 2.2, p[2] * 0.7);
    c = mixColor([70, 76, 110], [92, 98, 134], 0.5 + 0.5 * weave);
    c = mixColor(c, [44, 48, 74], smooth(0.25, 0.12, Math.abs(p[1] - 0.6)) * (n[0] > 0 ? 1 : 0) * smooth(7, 6, p[2]));
    c = mixColor(c, [44, 48, 74], smooth(0.2, 0.1, Math.abs(Math.abs(p[1]) - 7.8)) * 0.6);
  } else if (part === 'button') {
    const r = Math.sqrt((s - 0.5) ** 2 + (t - 0.5) ** 2) * 2;
    c = mixColor([250, 220, 140], [176, 120, 52], smooth(0.3, 1, r));
    c = mixColor(c, [90, 56, 28], smooth(0.14, 0.1, Math.abs(Math.abs(s - 0.5) * 2 - 0.22) + Math.abs(t - 0.5)));
  }
  const shade = mix(0.42, 1, smooth(0, 0.9, part === 'button' ? 1 : open)) * light;
  return { color: c.map((x) => x * shade) };
}

export function eyePicture(size = 128) {
  const data = new Uint8Array(size * size * 3);
  const over = 3;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sum = [0, 0, 0];
      for (let j = 0; j < over; j++) for (let i = 0; i < over; i++) {
        const u = ((x + (i + 0.5) / over) / size - 0.5) * 2;
        const v = ((y + (j + 0.5) / over) / size - 0.5) * 2;
        const r = Math.sqrt(u * u + v * v);
        const a = Math.atan2(v, u);
        let c = mixColor([252, 248, 240], [206, 170, 156], smooth(0.34, 0.7, r));
        let iris = mixColor([128, 196, 222], [46, 96, 150], smooth(0.08, 0.25, r));
        iris = mixColor(iris, [190, 226, 236], (0.5 + 0.5 * Math.sin(a * 21 + 2 * Math.sin(a * 5))) * 0.35 * smooth(0.25, 0.14, r));
        iris = mixColor(iris, [24, 40, 66], smooth(0.215, 0.25, r));
        c = mixColor(c, iris, smooth(0.265, 0.245, r));
        c = mixColor(c, [14, 14, 20], smooth(0.12, 0.1, r));
        c = mixColor(c, [255, 255, 255], smooth(0.065, 0.05, Math.sqrt((u - 0.075) ** 2 + (v + 0.095) ** 2)));
        for (let k = 0; k < 3; k++) sum[k] += c[k];
      }
      for (let k = 0; k < 3; k++) data[(y * size + x) * 3 + k] = Math.round(sum[k] / over / over);
    }
  }
  return { width: size, height: size, data };
}
