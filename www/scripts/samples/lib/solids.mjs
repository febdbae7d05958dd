// Round parts for cages: rings, lenses and turned pieces, each closed and with its own chart.
// Charts are folded where sides are even, so that no seam costs points.

import { add, cross, scale, unit } from './math.mjs';
import { around, ellipse, tube } from './mesh.mjs';

/** Two axes across `normal`, the second as near to `up` as it can be. */
export function across(normal, up = [0, 0, 1]) {
  const n = unit(normal);
  const u = unit(cross(Math.abs(n[2]) > 0.95 && up[2] === 1 ? [-1, 0, 0] : up, n));
  return [u, cross(n, u)];
}

/** A ring of `sides` sections with `round` points each; (a, b) its half axes, (r, h) those of the section across and along the normal. */
export function torus(cage, { at, normal, up, a, b = a, r, h = r, sides = 14, round = 6, part, side = 1, w, fold = true }) {
  const [u, v] = across(normal, up);
  const n = unit(normal);
  const rings = Array.from({ length: sides }, (_, i) => {
    const t = (2 * Math.PI * i) / sides;
    const out = add(scale(u, Math.cos(t)), scale(v, Math.sin(t)));
    const middle = add(at, add(scale(u, a * Math.cos(t)), scale(v, b * Math.sin(t))));
    return cage.ring(ellipse(middle, scale(out, r), scale(n, h), round), w);
  });
  const t = around(sides, fold);
  for (let i = 0; i < sides; i++) {
    cage.loft(rings[i], rings[(i + 1) % sides], { s: around(round, fold), t0: t(i), t1: t(i + 1), part, side });
  }
}

/** A piece turned about `axis`: `profile` lists [height, radius], ends at radius 0 become poles. `stretch` scales the second half axis. */
export function turned(cage, { at, axis, up, profile, sides = 12, stretch = 1, part, side = 1, w, fold = true }) {
  const [u, v] = across(axis, up);
  const n = unit(axis);
  const path = profile.map(([h, r]) => ({ p: add(at, scale(n, h)), u: scale(u, r), v: scale(v, r * stretch), w }));
  tube(cage, path, sides, part, side, fold);
}

/** A shallow lens whose chart is a disc seen along `normal`: pads, glasses, buttons. */
export function lens(cage, { at, normal, up, a, b = a, depth, sides = 12, rows = 2, part, side = 1, w }) {
  const [u, v] = across(normal, up);
  const n = unit(normal);
  const ring = (k) => {
    const bow = (Math.PI / 2) * (k / rows);
    return cage.ring(ellipse(add(at, scale(n, depth * Math.cos(bow))), scale(u, a * Math.sin(bow)), scale(v, b * Math.sin(bow)), sides), w);
  };
  const st = (k, i) => {
    const t = (2 * Math.PI * i) / sides;
    const r = 0.5 * (k / rows);
    return [0.5 + r * Math.cos(t), 0.5 - r * Math.sin(t)];
  };
  const top = cage.point(add(at, scale(n, depth)), w);
  let last = null;
  for (let k = 1; k <= rows; k++) {
    const next = ring(k);
    for (let i = 0; i < sides; i++) {
      const j = (i + 1) % sides;
      if (k === 1) cage.face([top, next[i], next[j]], [[0.5, 0.5], st(1, i), st(1, i + 1)], part, side);
      else cage.face([last[i], next[i], next[j], last[j]], [st(k - 1, i), st(k, i), st(k, i + 1), st(k - 1, i + 1)], part, side);
    }
    last = next;
  }
}
