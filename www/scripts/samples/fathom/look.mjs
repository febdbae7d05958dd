// Fathom's paint: canvas, brass, lead, rubber and glass, in a palette per skin. In: surfaces. Out: pictures.

import { clamp, distance, mix, noise3, smooth } from '../lib/math.mjs';
import { mixColor } from '../lib/paint.mjs';

export const BODY = {
  size: 512,
  inset: 3,
  charts: {
    torso: [0, 0, 200, 172], pelvis: [202, 0, 140, 96], leg: [0, 174, 190, 200], arm: [0, 376, 190, 136],
    boot: [344, 0, 168, 130], collar: [202, 98, 140, 120], belt: [344, 132, 168, 34], tank: [344, 168, 100, 150], hose: [446, 168, 66, 150],
    palm: [192, 220, 90, 80], finger: [192, 302, 70, 60], cuff: [192, 364, 150, 34], pad: [264, 302, 64, 60], lead: [330, 320, 60, 60], buckle: [392, 320, 60, 60], gauge: [454, 320, 58, 60], face: [394, 384, 110, 110],
  },
};
export const HEAD = {
  size: 256,
  inset: 2,
  charts: { dome: [0, 0, 150, 170], glass: [152, 0, 104, 104], pane: [152, 106, 60, 60], ring: [0, 172, 120, 40], rim: [0, 214, 150, 42], rim2: [152, 168, 100, 40], valve: [152, 210, 50, 46] },
};
export const GUN = {
  size: 256,
  inset: 2,
  charts: { body: [0, 0, 170, 120], flask: [0, 122, 110, 90], grip: [112, 122, 60, 90], ring: [172, 0, 84, 60], face: [172, 62, 84, 84], rod: [174, 148, 40, 108], point: [216, 148, 40, 50], hoop: [0, 214, 170, 40] },
};

export const SKINS = {
  default: { suit: [222, 192, 134], trim: [150, 66, 44], tank: [64, 116, 122] },
  red: { suit: [182, 54, 44], trim: [70, 30, 34], tank: [206, 84, 52] },
  blue: { suit: [58, 96, 172], trim: [34, 44, 84], tank: [72, 134, 214] },
};

const BRASS = [206, 146, 66];
const LEAD = [92, 98, 108];
const dots = (x, n, width) => smooth(width, width * 0.7, Math.abs(((x * n) % 1) - 0.5));

/** Brass with light from above, dark hollows and a little verdigris in them. */
function brass(p, n, open, shine = 1) {
  const patch = noise3(p[0] * 0.5, p[1] * 0.5, p[2] * 0.5);
  let c = mixColor([120, 72, 38], BRASS, smooth(-0.9, 0.5, n[2] + 0.25 * n[0]));
  c = mixColor(c, [252, 216, 140], smooth(0.45, 1, n[2] * 0.8 + n[0] * 0.35) * 0.7 * shine);
  c = mixColor(c, [96, 150, 128], smooth(0.75, 0.3, open) * smooth(-0.1, 0.5, patch) * 0.55);
  return c.map((x) => x * (1 + patch * 0.07));
}

function canvas(p, open, base) {
  const fold = noise3(p[0] * 0.32, p[1] * 0.32, p[2] * 0.75);
  const weave = Math.sin(p[2] * 9) * Math.sin((p[0] + p[1]) * 9);
  const c = mixColor(base, base.map((x) => x * 0.62), smooth(0.1, 0.8, fold) * 0.55);
  return c.map((x) => clamp(x * (1 + weave * 0.03 + fold * 0.05 + (open - 0.75) * 0.3), 0, 255));
}

/** The face of a gauge: ticks all round but below, a red sector and a needle. */
function dial(s, t, ticks) {
  const [u, v] = [(s - 0.5) * 2, (t - 0.5) * 2];
  const r = Math.sqrt(u * u + v * v);
  const a = Math.atan2(u, -v) / (2 * Math.PI); // 0 up, a quarter to the right
  const used = smooth(0.4, 0.38, Math.abs(a));
  let c = mixColor([250, 244, 226], [222, 206, 168], smooth(0.2, 1, r));
  c = mixColor(c, [214, 72, 52], smooth(0.24, 0.25, a) * used * smooth(0.03, 0.0, Math.abs(r - 0.76) - 0.07));
  c = mixColor(c, [34, 32, 36], smooth(0.1, 0.06, Math.abs(((a * ticks * 2 + 40) % 1) - 0.5)) * smooth(0.62, 0.66, r) * smooth(0.88, 0.84, r) * used);
  const way = [0.58, -0.81];
  const along = u * way[0] + v * way[1];
  const off = Math.abs(u * way[1] - v * way[0]);
  c = mixColor(c, [190, 34, 30], smooth(0.09, 0.05, off + 0.05 * Math.max(0, along)) * smooth(-0.24, -0.18, along) * smooth(0.74, 0.68, along));
  c = mixColor(c, [40, 34, 34], smooth(0.14, 0.11, r));
  return mixColor(c, [70, 42, 24], smooth(0.9, 0.95, r));
}

export function bodyPaint(skin) {
  const { suit, trim, tank } = SKINS[skin];
  const dark = suit.map((x) => x * 0.5);
  return ({ part, p, n, s, t, open }) => {
    let color = [255, 0, 255];
    const stitch = (d, along) => smooth(0.34, 0.22, Math.abs(d)) * (0.45 + 0.55 * dots(along, 1.1, 0.34));
    if (part === 'torso') {
      color = canvas(p, open, suit);
      color = mixColor(color, trim, smooth(0.5, 0.3, Math.abs(p[2] - 8.2) - 0.5) * 0.9);
      color = mixColor(color, dark, stitch(p[1], p[2]) * (n[0] > 0 ? 0.8 : 0.4));
      color = mixColor(color, dark, stitch(p[0] - 0.2, p[2]) * smooth(0.3, 0.6, Math.abs(n[1])) * 0.7);
    } else if (part === 'pelvis') {
      color = canvas(p, open, suit);
      color = mixColor(color, dark, stitch(p[1], p[2]) * 0.8);
    } else if (part === 'leg') {
      color = canvas(p, open, suit);
      const outer = Math.abs(p[1]) - 5;
      color = mixColor(color, trim, smooth(0.75, 0.6, Math.abs(p[0] - 0.3)) * smooth(1.6, 2.2, outer));
      color = mixColor(color, dark, stitch(p[0] - 0.3, p[2]) * smooth(-1.8, -2.4, outer) * 0.8);
      color = mixColor(color, [96, 84, 70], smooth(-14, -19, p[2] + noise3(p[0], p[1], p[2]) * 1.4) * 0.6);
    } else if (part === 'arm') {
      color = canvas(p, open, suit);
      const band = Math.abs(t - 0.34);
      color = mixColor(color, trim, smooth(0.1, 0.085, band));
      color = mixColor(color, [240, 230, 204], smooth(0.028, 0.018, Math.abs(band - 0.07)) * 0.9);
    } else if (part === 'boot') {
      color = mixColor([54, 50, 50], [92, 80, 70], smooth(-0.4, 0.9, n[2]));
      color = mixColor(color, brass(p, n, open), smooth(4.3, 4.7, p[0]));
      color = mixColor(color, [40, 30, 26], smooth(0.35, 0.2, Math.abs(p[0] - 4.3)));
      color = mixColor(color, [36, 34, 36], smooth(-22.6, -22.9, p[2]));
      const strap = smooth(0.95, 0.8, Math.abs(p[0] - 1.2 - (p[2] + 20) * 0.2)) * smooth(-22.4, -22, p[2]);
      color = mixColor(color, [132, 84, 50], strap);
    } else if (part === 'collar') {
      color = brass(p, n, open);
      const bolts = 14;
      const a = Math.atan2(p[1], p[0] / 0.82) / (2 * Math.PI) + 0.5;
      const at = ((a * bolts + 0.5) % 1) - 0.5;
      const r = Math.sqrt((at * 3.6) ** 2 + ((p[2] - 13.3) / 0.9) ** 2);
      color = mixColor(color, [84, 50, 28], smooth(1.05, 0.8, r) * smooth(12.4, 12.6, p[2]));
      color = mixColor(color, [250, 214, 142], smooth(0.7, 0.5, r) * smooth(12.4, 12.6, p[2]));
      color = mixColor(color, [92, 54, 30], smooth(0.2, 0.08, Math.abs(p[2] - 14.5)) * 0.8);
    } else if (part === 'belt') {
      color = mixColor([92, 56, 34], [134, 86, 52], smooth(-0.4, 0.6, n[2]));
      color = color.map((x) => x * (1 + 0.08 * noise3(p[0] * 1.5, p[1] * 1.5, p[2] * 3)));
    } else if (part === 'lead') {
      color = mixColor([58, 62, 70], LEAD, smooth(-0.6, 0.8, n[2])).map((x) => x * (1 + 0.14 * noise3(p[0] * 2, p[1] * 2, p[2] * 2)));
    } else if (part === 'buckle') {
      color = brass(p, n, open);
      const r = Math.sqrt(((s - 0.5) * 2) ** 2 + ((t - 0.5) * 2) ** 2);
      color = mixColor(color, [84, 50, 28], smooth(0.1, 0.04, Math.abs(r - 0.66)));
      const anchor = Math.max(smooth(0.09, 0.05, Math.abs(s - 0.5) * 2) * smooth(0.5, 0.44, Math.abs(t - 0.5) * 2), smooth(0.08, 0.03, Math.abs(Math.sqrt(((s - 0.5) * 2) ** 2 + ((t - 0.5) * 2) ** 2) - 0.4)) * (t > 0.55 ? 1 : 0), smooth(0.07, 0.03, Math.abs((t - 0.5) * 2 + 0.28)) * smooth(0.24, 0.2, Math.abs(s - 0.5) * 2));
      color = mixColor(color, [70, 40, 24], anchor);
    } else if (part === 'tank') {
      color = mixColor(tank.map((x) => x * 0.7), tank, smooth(-0.6, 0.4, n[2] - n[0] * 0.6));
      const band = smooth(0.9, 0.75, Math.abs(p[2] - 6));
      const stripes = smooth(0.46, 0.54, ((Math.atan2(p[1] - 3.3 * Math.sign(p[1] || 1), p[0] + 8.3) * 1.6 + p[2] * 0.55 + 20) % 1));
      color = mixColor(color, mixColor([34, 32, 34], [246, 200, 62], stripes), band);
      color = mixColor(color, brass(p, n, 0.9), smooth(13.6, 13.9, p[2]));
      color = mixColor(color, [238, 232, 214], smooth(0.16, 0.1, Math.abs(p[2] - 10.4)) * 0.9);
    } else if (part === 'hose') {
      const rib = 0.5 + 0.5 * Math.cos(t * 130);
      color = mixColor([30, 32, 36], [88, 92, 98], rib * smooth(-0.7, 0.9, n[2]));
    } else if (part === 'palm' || part === 'finger') {
      color = mixColor([70, 34, 28], [138, 70, 50], smooth(-0.8, 0.8, n[2])).map((x) => x * (1 + 0.1 * noise3(p[0] * 1.6, p[1] * 1.6, p[2] * 1.6)));
      if (part === 'finger') color = mixColor(color, [62, 30, 26], smooth(0.06, 0.03, Math.abs(t - 0.5)));
    } else if (part === 'cuff') {
      color = brass(p, n, 0.9);
    } else if (part === 'pad') {
      const r = Math.sqrt(((s - 0.5) * 2) ** 2 + ((t - 0.5) * 2) ** 2);
      color = mixColor([66, 40, 28], [132, 84, 52], smooth(1, 0.2, r));
      color = mixColor(color, [232, 212, 170], smooth(0.06, 0.03, Math.abs(r - 0.78)) * dots(Math.atan2(t - 0.5, s - 0.5) / (2 * Math.PI) + 1, 12, 0.32));
    } else if (part === 'gauge') {
      color = brass(p, n, open);
    } else if (part === 'face') {
      return { color: dial(s, t, 10) };
    }
    const shade = mix(0.4, 1, smooth(0, 0.9, part === 'finger' || part === 'lead' ? Math.max(open, 0.8) : open));
    return { color: color.map((c) => c * shade) };
  };
}

export function headPaint({ part, p, n, s, t, open }) {
  let color = brass(p, n, open);
  if (part === 'dome') {
    const q = [p[0] - 0.4, p[1], p[2] - 6.4];
    // Seams between the plates, with rivets.
    const seam = Math.min(Math.abs(q[0] + 1.6), Math.abs(q[2] + 3.4) + (q[0] > 3 ? 9 : 0));
    color = mixColor(color, [92, 54, 30], smooth(0.22, 0.1, seam) * 0.85);
    const along = Math.abs(q[0] + 1.6) < Math.abs(q[2] + 3.4) ? Math.atan2(q[1], q[2]) : Math.atan2(q[1], q[0]);
    const rivet = Math.sqrt((((((along / (2 * Math.PI)) * 26 + 52) % 1) - 0.5) * 1.9) ** 2 + (seam - 0.75) ** 2);
    color = mixColor(color, [86, 52, 30], smooth(0.42, 0.32, rivet) * 0.7);
    color = mixColor(color, [252, 220, 150], smooth(0.28, 0.18, rivet));
  } else if (part === 'glass' || part === 'pane') {
    const [u, v] = [(s - 0.5) * 2, (t - 0.5) * 2];
    const r = Math.sqrt(u * u + v * v);
    color = mixColor([30, 74, 84], [8, 20, 30], smooth(0.15, 1, r + v * 0.25));
    if (part === 'glass') {
      for (const k of [-1, 1]) {
        const d = Math.sqrt(((u - 0.36 * k) / 0.15) ** 2 + ((v - 0.02) / 0.25) ** 2);
        color = mixColor(color, [90, 190, 160], smooth(2.6, 1, d) * 0.5);
        color = mixColor(color, [255, 236, 150], smooth(1.1, 0.9, d));
        color = mixColor(color, [255, 255, 236], smooth(0.7, 0.3, d));
      }
    }
    const sheen = smooth(0.09, 0.02, Math.abs(distance([u, v, 0], [0.22, 0.3, 0]) - 1.02)) * smooth(0.1, -0.5, u) * smooth(0.1, -0.4, v);
    color = mixColor(color, [210, 240, 240], sheen * 0.75);
    return { color };
  } else if (part === 'rim' || part === 'rim2') {
    const a = part === 'rim' ? Math.atan2(p[1], p[2] - 6.7) : 0;
    if (part === 'rim') {
      const at = ((((a / (2 * Math.PI)) * 10 + 20) % 1) - 0.5) * 3.1;
      const out = distance([0, p[1], p[2]], [0, 0, 6.7]) - 4.3;
      const bolt = Math.sqrt(at * at + out * out);
      color = mixColor(color, [78, 46, 26], smooth(0.66, 0.52, bolt) * smooth(0.3, 0.6, n[0]));
      color = mixColor(color, [255, 226, 156], smooth(0.46, 0.32, bolt) * smooth(0.3, 0.6, n[0]));
    }
  }
  const shade = mix(0.45, 1, smooth(0, 0.9, part === 'rim2' || part === 'valve' ? Math.max(open, 0.75) : open));
  return { color: color.map((c) => c * shade) };
}

export function gunPaint({ part, p, n, s, t, open }) {
  let color = brass(p, n, open);
  if (part === 'body') {
    const steel = mixColor([60, 68, 76], [150, 162, 170], smooth(-0.7, 0.9, n[2])).map((x) => x * (1 + 0.06 * noise3(p[0], p[1] * 2, p[2] * 2)));
    color = mixColor(color, steel, smooth(4.2, 4.5, p[0]) * smooth(8.7, 8.5, p[0]));
    color = mixColor(color, [64, 116, 122], smooth(-4.4, -4.1, p[0]) * smooth(-2, -2.3, p[0]));
    color = mixColor(color, [28, 28, 32], smooth(9.7, 9.85, p[0]));
  } else if (part === 'flask') {
    color = mixColor([120, 40, 30], [214, 92, 52], smooth(-0.8, 0.8, n[2]));
    color = mixColor(color, [246, 232, 200], smooth(0.5, 0.4, Math.abs(p[0] - 5.5)));
  } else if (part === 'grip') {
    const grain = noise3(p[0] * 0.8, p[1] * 5, p[2] * 5);
    color = mixColor([88, 50, 28], [156, 98, 54], smooth(-0.8, 0.8, n[2] + grain * 0.5));
  } else if (part === 'face') {
    return { color: dial(s, t, 8) };
  } else if (part === 'rod') {
    color = mixColor([52, 58, 66], [136, 146, 156], smooth(-0.8, 0.8, n[2]));
  } else if (part === 'point') {
    color = mixColor([128, 138, 146], [236, 240, 242], smooth(-0.6, 0.7, n[2] + t - 0.5));
  } else if (part === 'ring' && s < 0) {
    color = LEAD;
  }
  const shade = mix(0.45, 1, smooth(0, 0.9, part === 'ring' || part === 'rod' || part === 'point' ? Math.max(open, 0.7) : open));
  return { color: color.map((c) => c * shade) };
}

/** A burst of light on black, for adding. */
export function flashPicture(size = 64) {
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [u, v] = [(x + 0.5) / size, ((y + 0.5) / size - 0.5) * 2];
      const width = 0.75 * Math.sqrt(Math.max(0, u)) * (1 - u) * 1.6 + 0.04;
      const flame = smooth(1, 0, Math.abs(v) / width) * smooth(1, 0.55, u) * smooth(0, 0.06, u);
      const core = smooth(0.5, 0, Math.abs(v) / width) * smooth(0.8, 0.1, u);
      const c = mixColor([0, 0, 0], mixColor([60, 150, 190], [235, 255, 250], core), flame);
      for (let k = 0; k < 3; k++) data[(y * size + x) * 3 + k] = Math.round(c[k]);
    }
  }
  return { width: size, height: size, data };
}

/** A sky under water, for reflections on glass. */
export function reflectionPicture(size = 64) {
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [u, v] = [(x + 0.5) / size, (y + 0.5) / size];
      const ripple = 0.5 + 0.5 * Math.sin(u * 19 + 3 * Math.sin(v * 9)) * Math.sin(v * 14 + 2 * Math.sin(u * 7));
      const c = mixColor([4, 10, 14], [96, 150, 156], smooth(0.6, 0, v) * (0.4 + 0.6 * ripple));
      for (let k = 0; k < 3; k++) data[(y * size + x) * 3 + k] = Math.round(c[k]);
    }
  }
  return { width: size, height: size, data };
}

