// Paints textures in space: each texel knows the point of the model it lies on, and a paint function says its colour,
// height (for bumps) and shine. Baked soft shade from the model's own shape comes in as `open` (0 hidden, 1 free).

import { add, clamp, cross, dot, length, mad, random, scale, sub, unit } from './math.mjs';
import { pointNormals } from './mesh.mjs';

/**
 * `atlas`: { size, charts: { part: [x, y, w, h] } } in pixels of the finished picture.
 * `paint({ part, p, n, s, t, open })` → { color: [r, g, b] 0..255, height: units, shine: 0..1 }.
 * Returns { color } and, with `bumps`, also { bump, shine } pictures (shine at half the size).
 */
export function bake(surface, atlas, open, paint, { oversample = 2, gutter = 4, bumps = false } = {}) {
  const size = atlas.size * oversample;
  const color = new Float32Array(size * size * 3);
  const height = new Float32Array(size * size);
  const shine = new Float32Array(size * size);
  const stretch = new Float32Array(size * size);
  const filled = new Uint8Array(size * size);
  const normals = pointNormals(surface);
  for (const triangle of surface.triangles) {
    const c = triangle.map((i) => surface.corners[i]);
    if (c[0].side < 0 || c[0].copy) continue;
    const at = c.map((k) => chartPoint(atlas, k.part, k.st).map((x) => x * size - 0.5));
    const [[ax, ay], [bx, by], [cx, cy]] = at;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (Math.abs(area) < 1e-9) continue;
    const p = c.map((k) => surface.points[k.point].p);
    const texel = Math.sqrt(Math.max(1e-9, length(cross(sub(p[1], p[0]), sub(p[2], p[0])))) / Math.abs(area));
    // Position, normal, s, t and openness of the three corners in a row.
    const [f0, f1, f2] = c.map((k, m) => [...p[m], ...normals[k.point], ...k.st, open[k.point]]);
    const f = new Array(9);
    const [y0, y1] = [Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), Math.min(size - 1, Math.floor(Math.max(ay, by, cy) + 0.5))];
    const [x0, x1] = [Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)), Math.min(size - 1, Math.floor(Math.max(ax, bx, cx) + 0.5))];
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const b1 = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area;
        const b2 = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
        const b0 = 1 - b1 - b2;
        const inside = Math.min(b0, b1, b2);
        if (inside < -0.02) continue;
        const i = y * size + x;
        if (filled[i] && inside < 0) continue;
        for (let k = 0; k < 9; k++) f[k] = b0 * f0[k] + b1 * f1[k] + b2 * f2[k];
        const look = paint({ part: c[0].part, p: [f[0], f[1], f[2]], n: unit([f[3], f[4], f[5]]), s: f[6], t: f[7], open: f[8] });
        for (let k = 0; k < 3; k++) color[i * 3 + k] = look.color[k];
        height[i] = look.height ?? 0;
        shine[i] = look.shine ?? 0.1;
        stretch[i] = texel;
        filled[i] = 1;
      }
    }
  }
  spread(size, filled, gutter * oversample, bumps ? [[color, 3], [height, 1], [shine, 1], [stretch, 1]] : [[color, 3]]);
  // What no chart covers takes the middle colour: from afar, filtering reaches there too.
  const sum = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < size * size; i++) {
    if (!filled[i]) continue;
    count++;
    for (let k = 0; k < 3; k++) sum[k] += color[i * 3 + k];
  }
  for (let i = 0; i < size * size; i++) if (!filled[i]) for (let k = 0; k < 3; k++) color[i * 3 + k] = sum[k] / count;
  if (!bumps) return { color: shrink(color, size, oversample) };
  const bump = new Float32Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      const l = x > 0 && filled[i - 1] ? i - 1 : i;
      const r = x < size - 1 && filled[i + 1] ? i + 1 : i;
      const u = y > 0 && filled[i - size] ? i - size : i;
      const d = y < size - 1 && filled[i + size] ? i + size : i;
      const k = stretch[i] || 1;
      const gx = filled[i] && r > l ? (height[r] - height[l]) / ((r - l) * k) : 0;
      const gy = filled[i] && d > u ? (height[d] - height[u]) / (((d - u) / size) * k) : 0;
      const normal = unit([-clamp(gx, -1.5, 1.5), -clamp(gy, -1.5, 1.5), 1]);
      bump.set(normal.map((m) => m * 127 + 128), i * 3);
    }
  }
  const grey = new Float32Array(size * size * 3);
  for (let i = 0; i < size * size; i++) grey.fill(shine[i] * 255, i * 3, i * 3 + 3);
  return { color: shrink(color, size, oversample), bump: shrink(bump, size, oversample), shine: shrink(grey, size, oversample * 2) };
}

/** The place (0..1, v down) of a chart's own s, t in the atlas. */
export function chartPoint(atlas, part, [s, t]) {
  const chart = atlas.charts[part];
  if (!chart) throw new Error(`no chart for ${part}`);
  const [x, y, w, h] = chart;
  const inset = atlas.inset ?? 2;
  return [(x + inset + s * (w - 2 * inset)) / atlas.size, (y + inset + t * (h - 2 * inset)) / atlas.size];
}

/** Lets painted texels run over the edges of their charts, so that filtering finds no foreign colour. */
function spread(size, filled, steps, layers) {
  let edge = [];
  for (let i = 0; i < size * size; i++) if (filled[i]) edge.push(i);
  for (let step = 0; step < steps; step++) {
    const next = [];
    for (const i of edge) {
      const x = i % size;
      for (const j of [x > 0 ? i - 1 : -1, x < size - 1 ? i + 1 : -1, i - size, i + size]) {
        if (j < 0 || j >= size * size || filled[j]) continue;
        filled[j] = 1;
        for (const [layer, n] of layers) for (let k = 0; k < n; k++) layer[j * n + k] = layer[i * n + k];
        next.push(j);
      }
    }
    edge = next;
  }
}

function shrink(data, size, by) {
  const small = size / by;
  const out = new Uint8Array(small * small * 3);
  for (let y = 0; y < small; y++) {
    for (let x = 0; x < small; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let j = 0; j < by; j++) for (let i = 0; i < by; i++) sum += data[((y * by + j) * size + x * by + i) * 3 + c];
        out[(y * small + x) * 3 + c] = clamp(Math.round(sum / by / by), 0, 255);
      }
    }
  }
  return { width: small, height: small, data: out };
}

/** How open each point is to the sky and the sides: rays against the model's own triangles, in a tree of boxes. */
export function openness(surface, { rays = 48, reach = 30, seed = 7 } = {}) {
  const { points, corners, triangles } = surface;
  const tris = triangles.map((t) => t.map((i) => points[corners[i].point].p));
  const build = (list) => {
    const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (const t of list) for (const p of t) for (let k = 0; k < 3; k++) {
      box[0][k] = Math.min(box[0][k], p[k]);
      box[1][k] = Math.max(box[1][k], p[k]);
    }
    if (list.length <= 6) return { box, list };
    const axis = [0, 1, 2].sort((a, b) => box[1][b] - box[0][b] - (box[1][a] - box[0][a]))[0];
    const sorted = [...list].sort((a, b) => a[0][axis] + a[1][axis] + a[2][axis] - (b[0][axis] + b[1][axis] + b[2][axis]));
    return { box, kids: [build(sorted.slice(0, sorted.length >> 1)), build(sorted.slice(sorted.length >> 1))] };
  };
  const root = build(tris);
  const hits = (node, o, d, inv) => {
    let [near, far] = [0, reach];
    for (let k = 0; k < 3; k++) {
      const a = (node.box[0][k] - o[k]) * inv[k];
      const b = (node.box[1][k] - o[k]) * inv[k];
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    if (near > far) return false;
    if (node.kids) return hits(node.kids[0], o, d, inv) || hits(node.kids[1], o, d, inv);
    return node.list.some(([a, b, c]) => {
      const e1 = sub(b, a);
      const e2 = sub(c, a);
      const h = cross(d, e2);
      const det = dot(e1, h);
      if (Math.abs(det) < 1e-9) return false;
      const s = sub(o, a);
      const u = dot(s, h) / det;
      if (u < 0 || u > 1) return false;
      const q = cross(s, e1);
      const v = dot(d, q) / det;
      if (v < 0 || u + v > 1) return false;
      const t = dot(e2, q) / det;
      return t > 1e-4 && t < reach;
    });
  };
  const next = random(seed);
  const around = Array.from({ length: rays }, () => {
    const z = 2 * next() - 1;
    const a = 2 * Math.PI * next();
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(a), r * Math.sin(a), z];
  });
  const normals = pointNormals(surface);
  return points.map(({ p }, i) => {
    const n = normals[i];
    const o = mad(p, n, 0.15);
    let free = 0;
    for (const ray of around) {
      const d = unit(add(ray, scale(n, 1.02)));
      if (!hits(root, o, d, d.map((x) => 1 / (Math.abs(x) < 1e-9 ? 1e-9 : x)))) free++;
    }
    return free / rays;
  });
}

export const mixColor = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
