// Modelling: a cage of quads with weights and charts goes in, a smooth triangle mesh comes out.
//
// A mesh is { points: [{ p, w }], faces: [{ v, st, part, side }] }: `w` maps a joint's name to its pull, `st` are
// corners inside the chart `part` (0..1), `side` is -1 on a mirrored half, which shares the chart of the other half.

import { add, cross, distance, dot, mirrorY, mix, scale, sub, unit } from './math.mjs';

export class Cage {
  points = [];
  faces = [];

  point(p, w) {
    this.points.push({ p, w });
    return this.points.length - 1;
  }

  /** A ring of points; `w` is one weight map or a function of the index. */
  ring(positions, w) {
    return positions.map((p, i) => this.point(p, typeof w === 'function' ? w(i) : w));
  }

  face(v, st, part, side = 1) {
    this.faces.push({ v, st, part, side });
  }

  /** Joins two rings (or open strips) of equal length with quads; `s(i)` and `t0`, `t1` lay out the chart. */
  loft(a, b, { closed = true, s, t0, t1, part, side = 1 }) {
    const n = a.length;
    for (let i = 0; i < (closed ? n : n - 1); i++) {
      const j = (i + 1) % n;
      const quad = [a[i], a[j], b[j], b[i]];
      const st = [[s(i), t0], [s(i + 1), t0], [s(i + 1), t1], [s(i), t1]];
      this.face(quad, st, part, typeof side === 'function' ? side(i) : side);
    }
  }
}

/** Points of an ellipse around `center`, counter-clockwise from `u` towards `v`. */
export const ellipse = (center, u, v, n, start = 0) =>
  Array.from({ length: n }, (_, i) => {
    const a = start + (2 * Math.PI * i) / n;
    return add(center, add(scale(u, Math.cos(a)), scale(v, Math.sin(a))));
  });

function blend(parts) {
  const w = {};
  let p = [0, 0, 0];
  let sum = 0;
  for (const [point, k] of parts) {
    p = add(p, scale(point.p, k));
    sum += k;
    for (const joint in point.w) w[joint] = (w[joint] ?? 0) + point.w[joint] * k;
  }
  for (const joint in w) w[joint] /= sum;
  return { p: scale(p, 1 / sum), w };
}

const edgeKey = (a, b) => (a < b ? a * 1048576 + b : b * 1048576 + a);

/** One Catmull-Clark step. Weights follow the same stencils as positions, charts stay bilinear. */
export function subdivide(mesh) {
  const { points, faces } = mesh;
  const out = new Cage();
  out.points = points.map(() => null);
  const edges = new Map();
  const near = points.map(() => ({ faces: [], edges: [] }));
  const centers = faces.map((f) => blend(f.v.map((i) => [points[i], 1])));
  faces.forEach((f, fi) => {
    f.v.forEach((a, i) => {
      const b = f.v[(i + 1) % f.v.length];
      const key = edgeKey(a, b);
      if (!edges.has(key)) {
        const edge = { a, b, faces: [], point: -1 };
        edges.set(key, edge);
        near[a].edges.push(edge);
        near[b].edges.push(edge);
      }
      edges.get(key).faces.push(fi);
      near[a].faces.push(fi);
    });
  });
  points.forEach((point, i) => {
    const { faces: fs, edges: es } = near[i];
    const rim = es.filter((e) => e.faces.length === 1);
    const other = (e) => points[e.a === i ? e.b : e.a];
    if (fs.length === 0) out.points[i] = point;
    else if (rim.length) out.points[i] = blend([[point, 6], ...rim.map((e) => [other(e), 2 / rim.length])]);
    else {
      const n = fs.length;
      const q = fs.map((f) => [centers[f], 1 / n / n]);
      const r = es.map((e) => [blend([[point, 1], [other(e), 1]]), 2 / n / n]);
      out.points[i] = blend([...q, ...r, [point, (n - 3) / n]]);
    }
  });
  const centerIds = centers.map((c) => out.points.push(c) - 1);
  for (const e of edges.values()) {
    const ends = [[points[e.a], 1], [points[e.b], 1]];
    if (e.faces.length > 1) ends.push(...e.faces.map((f) => [centers[f], 1]));
    e.point = out.points.push(blend(ends)) - 1;
  }
  const mid = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  faces.forEach((f, fi) => {
    const n = f.v.length;
    const middle = [0, 1].map((k) => f.st.reduce((sum, c) => sum + c[k], 0) / n);
    for (let i = 0; i < n; i++) {
      const [prev, next] = [(i + n - 1) % n, (i + 1) % n];
      out.face(
        [f.v[i], edges.get(edgeKey(f.v[i], f.v[next])).point, centerIds[fi], edges.get(edgeKey(f.v[prev], f.v[i])).point],
        [f.st[i], mid(f.st[i], f.st[next]), middle, mid(f.st[prev], f.st[i])],
        f.part,
        f.side,
      );
    }
  });
  return out;
}

/** Turns every connected piece so that it is counter-clockwise from outside (open pieces: away from their own middle). */
export function orient(mesh) {
  const { points, faces } = mesh;
  const edges = new Map();
  faces.forEach((f, fi) => {
    f.v.forEach((a, i) => {
      const b = f.v[(i + 1) % f.v.length];
      const key = edgeKey(a, b);
      if (!edges.has(key)) edges.set(key, []);
      edges.get(key).push([fi, a < b]);
    });
  });
  const flipped = faces.map(() => null);
  for (let start = 0; start < faces.length; start++) {
    if (flipped[start] !== null) continue;
    flipped[start] = false;
    const piece = [start];
    for (let at = 0; at < piece.length; at++) {
      const fi = piece[at];
      const f = faces[fi];
      f.v.forEach((a, i) => {
        const b = f.v[(i + 1) % f.v.length];
        for (const [other, way] of edges.get(edgeKey(a, b))) {
          if (flipped[other] !== null) continue;
          flipped[other] = (way === a < b) !== flipped[fi];
          piece.push(other);
        }
      });
    }
    let middle = [0, 0, 0];
    for (const fi of piece) middle = add(middle, scale(points[faces[fi].v[0]].p, 1 / piece.length));
    let volume = 0;
    for (const fi of piece) {
      const q = faces[fi].v.map((i) => sub(points[i].p, middle));
      let six = 0;
      for (let k = 2; k < q.length; k++) six += dot(q[0], cross(q[k - 1], q[k]));
      volume += flipped[fi] ? -six : six;
    }
    if (volume < 0) for (const fi of piece) flipped[fi] = !flipped[fi];
  }
  faces.forEach((f, fi) => {
    if (flipped[fi]) {
      f.v.reverse();
      f.st.reverse();
    }
  });
  return mesh;
}

/**
 * A closed tube along `path` [{ p, u, v, w }] (u, v: half axes of the section) with rounded ends: the first and last
 * point are poles. Chart: s around, t along; folded, s runs to 1 and back, which needs no seam (`sides` even).
 */
export function tube(cage, path, sides, part, side = 1, fold = false) {
  const lengths = [0];
  for (let i = 1; i < path.length; i++) lengths.push(lengths[i - 1] + Math.max(1e-3, distance(path[i].p, path[i - 1].p)));
  const total = lengths[lengths.length - 1];
  const rings = path.slice(1, -1).map((k) => cage.ring(ellipse(k.p, k.u, k.v, sides), k.w));
  const s = around(sides, fold);
  for (let r = 1; r < rings.length; r++) {
    cage.loft(rings[r - 1], rings[r], { s, t0: lengths[r] / total, t1: lengths[r + 1] / total, part, side });
  }
  const pole = (k, ring, t, tp) => {
    const tip = cage.point(k.p, k.w);
    for (let i = 0; i < sides; i++) {
      cage.face([ring[i], ring[(i + 1) % sides], tip], [[s(i), t], [s(i + 1), t], [0.5, tp]], part, side);
    }
  };
  pole(path[0], rings[0], lengths[1] / total, 0);
  pole(path[path.length - 1], rings[rings.length - 1], lengths[path.length - 2] / total, 1);
}

/** The chart's s for point `i` of `n` around. */
export const around = (n, fold) => (fold ? (i) => 1 - Math.abs(1 - (2 * i) / n) : (i) => i / n);

/** A path for `tube` through `points` with radii: sections stand square on the path, `wide` / `thin` scale the two half axes, `up` fixes the roll. */
export function sweep(points, { radius, up = [0, 0, 1], wide = () => 1, thin = () => 1, w }) {
  const n = points.length - 1;
  return points.map((p, i) => {
    const along = unit(sub(points[Math.min(n, i + 1)], points[Math.max(0, i - 1)]));
    const right = unit(cross(along, up));
    const top = cross(right, along);
    const t = i / n;
    return { p, u: scale(right, radius(t) * wide(t)), v: scale(top, radius(t) * thin(t)), w: typeof w === 'function' ? w(t) : w };
  });
}

/** `count` points along a Catmull-Rom curve through `knots`, evenly spaced in its parameter. */
export function curve(knots, count) {
  const at = (i) => knots[Math.min(knots.length - 1, Math.max(0, i))];
  return Array.from({ length: count }, (_, k) => {
    const x = (k / (count - 1)) * (knots.length - 1);
    const i = Math.min(knots.length - 2, Math.floor(x));
    const t = x - i;
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return b.map((_, m) => 0.5 * (2 * b[m] + (c[m] - a[m]) * t + (2 * a[m] - 5 * b[m] + 4 * c[m] - d[m]) * t * t + (3 * b[m] - a[m] - 3 * c[m] + d[m]) * t * t * t));
  });
}

/** Adds a copy of `faces` from `from` on, mirrored to -Y; joint names go through `rename`. */
export function mirrorFaces(cage, from, rename) {
  const map = new Map();
  const copy = (i) => {
    if (!map.has(i)) {
      const w = {};
      for (const j in cage.points[i].w) w[rename(j)] = cage.points[i].w[j];
      map.set(i, cage.point(mirrorY(cage.points[i].p), w));
    }
    return map.get(i);
  };
  for (const f of cage.faces.slice(from)) cage.face(f.v.map(copy), [...f.st], f.part, -f.side);
}

/** Triangles (index triples into `corners`), corners { point, st, part, side } shared where equal. */
export function triangulate(mesh) {
  const corners = [];
  const ids = new Map();
  const triangles = [];
  const id = (f, k) => {
    const key = `${f.v[k]}/${f.part}/${f.side}/${f.st[k].map((x) => Math.round(x * 65536)).join('/')}`;
    if (!ids.has(key)) ids.set(key, corners.push({ point: f.v[k], st: f.st[k], part: f.part, side: f.side }) - 1);
    return ids.get(key);
  };
  for (const f of mesh.faces) {
    const c = f.v.map((_, k) => id(f, k));
    const p = f.v.map((i) => mesh.points[i].p);
    if (c.length === 3) triangles.push(c);
    else if (distance(p[0], p[2]) <= distance(p[1], p[3])) triangles.push([c[0], c[1], c[2]], [c[0], c[2], c[3]]);
    else triangles.push([c[0], c[1], c[3]], [c[1], c[2], c[3]]);
  }
  return { points: mesh.points, corners, triangles };
}

/** Unit normals per point: unit face normals summed, as the engines do. */
export function pointNormals({ points, corners, triangles }) {
  const normals = points.map(() => [0, 0, 0]);
  for (const t of triangles) {
    const [a, b, c] = t.map((i) => corners[i].point);
    const n = unit(cross(sub(points[b].p, points[a].p), sub(points[c].p, points[a].p)));
    for (const i of [a, b, c]) normals[i] = add(normals[i], n);
  }
  return normals.map(unit);
}

export const blendWeights = (a, b, t) => {
  const w = {};
  for (const j in a) w[j] = mix(a[j], 0, t);
  for (const j in b) w[j] = (w[j] ?? 0) + b[j] * t;
  return w;
};
