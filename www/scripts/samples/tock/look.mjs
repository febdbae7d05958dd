// Tock's paint: enamel, brass and steel, as 8-bit pictures. In: surfaces. Out: three bitmaps and a second coat.

import { mix, noise3, smooth } from '../lib/math.mjs';
import { mixColor } from '../lib/paint.mjs';

export const SHELL = {
  size: 256,
  inset: 2,
  charts: { shell: [0, 0, 150, 120], skull: [0, 122, 150, 100], lid: [152, 0, 104, 60], limb: [152, 62, 60, 90], hips: [152, 154, 104, 50], lamp: [152, 206, 104, 50], toe: [214, 62, 42, 90], ear: [0, 224, 70, 32] },
};
export const METAL = {
  size: 256,
  inset: 2,
  charts: { iris: [0, 0, 128, 128], dial: [130, 0, 96, 96], joint: [0, 130, 90, 60], rod: [92, 130, 60, 60], band: [0, 192, 100, 30], rim: [102, 192, 100, 40], finger: [154, 130, 40, 60], key: [196, 130, 60, 40], bulb: [228, 0, 28, 40], beam: [204, 192, 52, 52] },
};
export const COATS = { mint: [[112, 184, 164], [240, 234, 214]], rust: [[214, 96, 54], [246, 226, 190]] };

const material = (part) => (part === 'chrome' ? 'chrome' : part in SHELL.charts ? 'shell' : 'metal');
export { material };

export function shellPaint(coat) {
  const [main, trim] = COATS[coat];
  return ({ part, p, n, s, t, open }) => {
    let c = mixColor(main.map((x) => x * 0.72), main, smooth(-0.8, 0.4, n[2]));
    const line = (d, w = 0.16) => smooth(w, w * 0.5, Math.abs(d));
    const groove = (d) => {
      c = mixColor(c, main.map((x) => x * 0.4), line(d, 0.22) * 0.85);
    };
    if (part === 'shell') {
      c = mixColor(c, mixColor(trim.map((x) => x * 0.8), trim, smooth(-0.8, 0.4, n[2])), smooth(24.2, 24.6, p[2]) * smooth(30.6, 30.2, p[2]));
      groove(p[2] - 30.4);
      // A hatch at the back, and a stamp on the belly.
      if (p[0] < 0) groove(Math.max(Math.abs(p[1]) - 4, Math.abs(p[2] - 27.4) - 2));
      if (p[0] > 0) {
        const band = Math.abs(p[2] - 22.2);
        c = mixColor(c, [246, 196, 70], smooth(0.75, 0.65, band) * smooth(0.42, 0.5, ((p[1] * 0.42 + p[2] * 0.4 + 20) % 1)));
      }
    } else if (part === 'skull') {
      groove(p[1] - 3.4);
      groove(p[1] + 3.4);
      c = mixColor(c, trim, smooth(3.2, 3, Math.abs(p[1])) * smooth(41, 42, p[2]) * smooth(-0.3, 0.3, n[2]));
      c = mixColor(c, main.map((x) => x * 0.4), line(Math.sqrt(p[0] ** 2 + (p[2] - 39.6) ** 2) - 4.4, 0.2) * smooth(6, 6.4, Math.abs(p[1])));
    } else if (part === 'lid') {
      c = mixColor(main.map((x) => x * 0.55), main, smooth(0, 0.3, t));
      c = mixColor(c, trim, smooth(0.2, 0.18, t) * smooth(0.04, 0.06, t));
    } else if (part === 'limb') {
      c = mixColor(c, trim, smooth(0.1, 0.08, Math.abs(t - 0.5)));
      c = mixColor(c, main.map((x) => x * 0.4), line(Math.abs(t - 0.5) - 0.13, 0.03));
    } else if (part === 'hips') {
      c = mixColor([70, 66, 66], [126, 120, 114], smooth(-0.6, 0.8, n[2]));
    } else if (part === 'toe') {
      c = mixColor(c, [60, 58, 60], smooth(0.55, 0.62, t));
      c = mixColor(c, [44, 42, 44], smooth(0.5, 0.3, p[2]));
    } else if (part === 'lamp') {
      c = mixColor(c, trim, smooth(0.06, 0.04, Math.abs(t - 0.55)));
    } else if (part === 'ear') {
      c = mixColor(c, [214, 160, 80], smooth(0.35, 0.45, t));
    }
    // Chips along edges, dust below.
    const wear = noise3(p[0] * 0.9, p[1] * 0.9, p[2] * 0.9) + 0.5 * noise3(p[0] * 2.3, p[1] * 2.3, p[2] * 2.3);
    c = mixColor(c, [92, 82, 76], smooth(0.95, 1.05, wear) * 0.45);
    c = mixColor(c, [110, 96, 80], smooth(8, 0, p[2]) * 0.3);
    const shade = mix(0.42, 1, smooth(0, 0.9, part === 'toe' || part === 'limb' ? Math.max(open, 0.75) : open));
    return { color: c.map((x) => x * shade) };
  };
}

export function metalPaint({ part, p, n, s, t, open }) {
  const [u, v] = [(s - 0.5) * 2, (t - 0.5) * 2];
  const r = Math.sqrt(u * u + v * v);
  const brass = mixColor(mixColor([108, 66, 34], [204, 148, 70], smooth(-0.9, 0.4, n[2])), [252, 220, 150], smooth(0.5, 1, n[2] + n[0] * 0.2) * 0.7);
  const steel = mixColor([58, 60, 66], [168, 172, 178], smooth(-0.9, 0.9, n[2] + 0.2 * noise3(p[0], p[1] * 2, p[2])));
  let c = steel;
  if (part === 'iris') {
    const blade = ((Math.atan2(v, u) / (2 * Math.PI)) * 8 + r * 1.1 + 16) % 1;
    c = mixColor([38, 40, 48], [88, 92, 104], blade);
    c = mixColor(c, mixColor([255, 196, 80], [226, 84, 30], smooth(0.22, 0.62, r)), smooth(0.66, 0.6, r));
    c = mixColor(c, [255, 240, 170], smooth(0.1, 0.03, Math.abs(r - 0.44)) * 0.5);
    c = mixColor(c, [34, 14, 14], smooth(0.33, 0.29, r));
    c = mixColor(c, [255, 255, 255], smooth(0.12, 0.09, Math.sqrt((u - 0.16) ** 2 + (v + 0.2) ** 2)));
    return { color: c };
  }
  if (part === 'dial') {
    const a = Math.atan2(u, -v) / (2 * Math.PI);
    c = mixColor([250, 246, 232], [224, 212, 180], smooth(0.3, 1, r));
    c = mixColor(c, [40, 38, 44], smooth(0.14, 0.09, Math.abs(((a * 12 + 24.5) % 1) - 0.5)) * smooth(0.64, 0.68, r) * smooth(0.86, 0.82, r));
    const hand = (angle, long, wide) => {
      const way = [Math.sin(angle), -Math.cos(angle)];
      const along = u * way[0] + v * way[1];
      const off = Math.abs(u * way[1] - v * way[0]);
      c = mixColor(c, [44, 40, 48], smooth(wide, wide * 0.6, off) * smooth(-0.14, -0.1, along) * smooth(long, long - 0.05, along));
    };
    hand(-1.05, 0.46, 0.08);
    hand(0.95, 0.66, 0.055);
    c = mixColor(c, [190, 60, 44], smooth(0.11, 0.08, r));
    return { color: c };
  }
  if (part === 'beam') return { color: mixColor([255, 252, 226], [255, 206, 110], smooth(0.2, 1, r)) };
  if (part === 'bulb') return { color: mixColor([170, 34, 30], [255, 110, 84], smooth(-0.6, 0.9, n[2] + n[0] * 0.3)) };
  if (part === 'band' || part === 'rim' || part === 'key') c = brass;
  if (part === 'finger') c = mixColor(steel, [52, 52, 56], smooth(0.6, 0.7, t));
  const shade = mix(0.5, 1, smooth(0, 0.9, part === 'rim' ? open : Math.max(open, 0.7)));
  return { color: c.map((x) => x * shade) };
}

/** What a mirror ball shows: sky over ground. Half-Life wraps textures with "chrome" in their name around what they are on. */
export function chromePicture(size = 64) {
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const v = (y + 0.5) / size;
      const u = (x + 0.5) / size;
      let c = v < 0.5 ? mixColor([226, 242, 255], [120, 160, 206], smooth(0, 0.5, v)) : mixColor([74, 62, 56], [190, 164, 132], smooth(0.5, 1, v));
      c = mixColor(c, [255, 255, 255], smooth(0.16, 0.06, Math.sqrt((u - 0.36) ** 2 + (v - 0.26) ** 2)));
      for (let k = 0; k < 3; k++) data[(y * size + x) * 3 + k] = Math.round(c[k]);
    }
  }
  return { width: size, height: size, data };
}
