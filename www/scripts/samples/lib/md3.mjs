// Writes .md3 as Quake III reads it: clockwise triangles, positions in 64ths, normals as two angles in 256ths of a turn.

import { cross, sub, unit } from './math.mjs';

const round = (x) => Math.max(-32768, Math.min(32767, Math.round(x * 64)));

/** Two bytes of a unit normal: polar angle from +Z (low byte), azimuth (high byte). */
function packed(n) {
  if (n[0] === 0 && n[1] === 0) return n[2] > 0 ? 0 : 128;
  const polar = Math.round((Math.acos(Math.max(-1, Math.min(1, n[2]))) * 128) / Math.PI) & 255;
  const azimuth = Math.round((Math.atan2(n[1], n[0]) * 128) / Math.PI) & 255;
  return (azimuth << 8) | polar;
}

function text(buffer, at, string, size) {
  buffer.write(string.slice(0, size - 1), at, 'latin1');
}

/**
 * `surfaces`: [{ name, shader, corners: [{ point, uv }], triangles, frames: positions of the points per frame }];
 * `tags`: [{ name, frames: [{ origin, axes: [x, y, z] }] }]. All have the same number of frames.
 */
export function md3(name, frameNames, surfaces, tags = []) {
  const count = frameNames.length;
  const mins = frameNames.map(() => [Infinity, Infinity, Infinity]);
  const maxs = frameNames.map(() => [-Infinity, -Infinity, -Infinity]);
  const blocks = surfaces.map(({ name: surface, shader, corners, triangles, frames }) => {
    const size = 108 + triangles.length * 12 + 68 + corners.length * 8 + corners.length * 8 * count;
    const b = Buffer.alloc(size);
    const shadersAt = 108 + triangles.length * 12;
    const stAt = shadersAt + 68;
    const xyzAt = stAt + corners.length * 8;
    b.write('IDP3', 0, 'latin1');
    text(b, 4, surface, 64);
    [0, count, 1, corners.length, triangles.length, 108, shadersAt, stAt, xyzAt, size].forEach((x, i) => b.writeInt32LE(x, 68 + i * 4));
    triangles.forEach(([x, y, z], i) => [x, z, y].forEach((k, m) => b.writeInt32LE(k, 108 + i * 12 + m * 4)));
    text(b, shadersAt, shader, 64);
    corners.forEach(({ uv }, i) => {
      b.writeFloatLE(uv[0], stAt + i * 8);
      b.writeFloatLE(uv[1], stAt + i * 8 + 4);
    });
    frames.forEach((points, f) => {
      const normals = points.map(() => [0, 0, 0]);
      for (const t of triangles) {
        const [p, q, r] = t.map((i) => corners[i].point);
        const n = unit(cross(sub(points[q], points[p]), sub(points[r], points[p])));
        for (const i of [p, q, r]) for (let k = 0; k < 3; k++) normals[i][k] += n[k];
      }
      corners.forEach(({ point }, i) => {
        const at = xyzAt + (f * corners.length + i) * 8;
        for (let k = 0; k < 3; k++) {
          const x = round(points[point][k]);
          b.writeInt16LE(x, at + k * 2);
          mins[f][k] = Math.min(mins[f][k], x / 64);
          maxs[f][k] = Math.max(maxs[f][k], x / 64);
        }
        b.writeUInt16LE(packed(unit(normals[point])), at + 6);
      });
    });
    return b;
  });
  const tagsAt = 108 + count * 56;
  const surfacesAt = tagsAt + count * tags.length * 112;
  const end = surfacesAt + blocks.reduce((sum, b) => sum + b.length, 0);
  const head = Buffer.alloc(surfacesAt);
  head.write('IDP3', 0, 'latin1');
  head.writeInt32LE(15, 4);
  text(head, 8, name, 64);
  [0, count, tags.length, surfaces.length, 0, 108, tagsAt, surfacesAt, end].forEach((x, i) => head.writeInt32LE(x, 72 + i * 4));
  frameNames.forEach((label, f) => {
    const at = 108 + f * 56;
    if (mins[f][0] > maxs[f][0]) mins[f] = maxs[f] = [0, 0, 0];
    const far = [0, 1, 2].map((k) => Math.max(Math.abs(mins[f][k]), Math.abs(maxs[f][k])));
    const radius = Math.sqrt(far[0] ** 2 + far[1] ** 2 + far[2] ** 2);
    [...mins[f], ...maxs[f], 0, 0, 0, radius].forEach((x, i) => head.writeFloatLE(x, at + i * 4));
    text(head, at + 40, label, 16);
  });
  tags.forEach(({ name: tag, frames }, i) => {
    frames.forEach(({ origin, axes }, f) => {
      const at = tagsAt + (f * tags.length + i) * 112;
      text(head, at, tag, 64);
      // Cut to what prints the same everywhere before it becomes a float.
      [...origin, ...axes.flat()].forEach((x, k) => head.writeFloatLE(Math.round(x * 1e5) / 1e5, at + 64 + k * 4));
    });
  });
  return Buffer.concat([head, ...blocks]);
}
