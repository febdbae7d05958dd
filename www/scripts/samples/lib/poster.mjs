// A small picture of a sample for the gallery, drawn here so that it needs no browser. In: posed surfaces with their
// textures. Out: { width, height, data }.

import { cross, dot, mix, sub, turn, unit } from './math.mjs';

/**
 * `parts`: [{ points: positions, corners: [{ point, uv }], triangles, image }], counter-clockwise from outside.
 * The light hangs on the camera, as in the viewer; `tint` colours the ground behind.
 */
export function poster(parts, { eye, at, fov, tint, width = 480, height = 360 }) {
  const over = 2;
  const [w, h] = [width * over, height * over];
  const forward = unit(sub(at, eye));
  const right = unit(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  const zoom = h / 2 / Math.tan((fov * Math.PI) / 360);
  const depth = new Float32Array(w * h).fill(Infinity);
  const color = new Float32Array(w * h * 3);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const r = Math.sqrt((x / w - 0.5) ** 2 + (y / h - 0.45) ** 2);
      for (let k = 0; k < 3; k++) color[(y * w + x) * 3 + k] = mix(tint[k], tint[k] * 0.6, Math.min(1, r * 1.5)) / 255;
    }
  }
  const key = unit([0, 1, 2].map((k) => right[k] * -0.4 + up[k] * 0.65 - forward[k] * 0.75));
  for (const { points, corners, triangles, image } of parts) {
    const normals = points.map(() => [0, 0, 0]);
    for (const t of triangles) {
      const [a, b, c] = t.map((i) => corners[i].point);
      const n = unit(cross(sub(points[b], points[a]), sub(points[c], points[a])));
      for (const i of [a, b, c]) for (let k = 0; k < 3; k++) normals[i][k] += n[k];
    }
    const screen = points.map((p) => {
      const d = sub(p, eye);
      const z = dot(d, forward);
      return [w / 2 + (dot(d, right) * zoom) / z, h / 2 - (dot(d, up) * zoom) / z, z];
    });
    const light = normals.map((n) => {
      const m = unit(n);
      return 0.34 + 0.16 * (m[2] + 1) + 0.72 * Math.max(0, dot(m, key));
    });
    for (const t of triangles) {
      const c = t.map((i) => corners[i]);
      const s = c.map((k) => screen[k.point]);
      const area = (s[1][0] - s[0][0]) * (s[2][1] - s[0][1]) - (s[1][1] - s[0][1]) * (s[2][0] - s[0][0]);
      if (area >= 0 || s.some((q) => q[2] < 1)) continue;
      const lit = c.map((k) => light[k.point]);
      const [x0, x1] = [Math.max(0, Math.floor(Math.min(s[0][0], s[1][0], s[2][0]))), Math.min(w - 1, Math.ceil(Math.max(s[0][0], s[1][0], s[2][0])))];
      const [y0, y1] = [Math.max(0, Math.floor(Math.min(s[0][1], s[1][1], s[2][1]))), Math.min(h - 1, Math.ceil(Math.max(s[0][1], s[1][1], s[2][1])))];
      for (let y = y0; y <= y1; y++) {
        for (let x = x0; x <= x1; x++) {
          let b1 = ((x + 0.5 - s[0][0]) * (s[2][1] - s[0][1]) - (y + 0.5 - s[0][1]) * (s[2][0] - s[0][0])) / area;
          let b2 = ((s[1][0] - s[0][0]) * (y + 0.5 - s[0][1]) - (s[1][1] - s[0][1]) * (x + 0.5 - s[0][0])) / area;
          let b0 = 1 - b1 - b2;
          if (b0 < 0 || b1 < 0 || b2 < 0) continue;
          b0 /= s[0][2];
          b1 /= s[1][2];
          b2 /= s[2][2];
          const z = 1 / (b0 + b1 + b2);
          const i = y * w + x;
          if (z >= depth[i]) continue;
          depth[i] = z;
          const of = (f) => (b0 * f(0) + b1 * f(1) + b2 * f(2)) * z;
          const u = of((k) => c[k].uv[0]);
          const v = of((k) => c[k].uv[1]);
          const texel = (Math.min(image.height - 1, Math.max(0, Math.floor(v * image.height))) * image.width + Math.min(image.width - 1, Math.max(0, Math.floor(u * image.width)))) * 3;
          const l = of((k) => lit[k]);
          for (let k = 0; k < 3; k++) color[i * 3 + k] = Math.min(1, Math.sqrt((image.data[texel + k] / 255) ** 2 * l));
        }
      }
    }
  }
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let j = 0; j < over; j++) for (let i = 0; i < over; i++) sum += color[((y * over + j) * w + x * over + i) * 3 + k];
        data[(y * width + x) * 3 + k] = Math.round((sum / over / over) * 255);
      }
    }
  }
  return { width, height, data };
}

/** Points moved by a pose: `world` as Pose.world() gives it (turns of the model's axes in the bind pose). */
export function posed(points, rig, world) {
  return points.map(({ p, w }) => {
    const out = [0, 0, 0];
    for (const name in w) {
      const i = rig.id(name);
      const moved = turn(world[i].q, sub(p, rig.joints[i].at));
      for (let k = 0; k < 3; k++) out[k] += w[name] * (world[i].t[k] + moved[k]);
    }
    return out;
  });
}

/** Points in the space of a tag, moved to the space the tag is given in. */
export const shifted = (points, { t, q }) => points.map((p) => turn(q, p).map((x, k) => x + t[k]));
