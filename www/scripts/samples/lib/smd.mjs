// Writes .smd and .vta as Valve's compilers read them: counter-clockwise triangles, v up, parent-local positions and Euler
// angles with R = Rz * Ry * Rx. Our models look along +X; files look along -Y, which the compilers turn back.

import { axisAngle, DEG, qmul, turn } from './math.mjs';
import { toLocal } from './rig.mjs';

const TURN = axisAngle([0, 0, 1], -90 * DEG);
const n = (x, digits = 5) => {
  const s = x.toFixed(digits);
  return s === `-${(0).toFixed(digits)}` ? s.slice(1) : s;
};

/** Angles about X, Y, Z of a turn that is Rz * Ry * Rx. */
function angles([x, y, z, w]) {
  const m20 = 2 * (x * z - w * y);
  const ry = Math.asin(Math.max(-1, Math.min(1, -m20)));
  return [Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), ry, Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))];
}

const nodes = (rig) => ['nodes', ...rig.joints.map((j, i) => `${i} "${j.name}" ${j.parent}`), 'end'];

function frame(rig, world) {
  const turned = world.map(({ t, q }) => ({ t: turn(TURN, t), q: qmul(TURN, q) }));
  return toLocal(rig, turned).map(({ t, q }, i) => `${i} ${[...t, ...angles(q)].map((x) => n(x)).join(' ')}`);
}

/** An animation: one line a joint in every frame. */
export function smdAnimation(rig, frames) {
  const out = ['version 1', ...nodes(rig), 'skeleton'];
  frames.forEach((world, i) => out.push(`time ${i}`, ...frame(rig, world)));
  return `${out.join('\n')}\nend\n`;
}

/**
 * A reference file. `meshes`: [{ material, points: [{ p, w }], normals, corners: [{ point, uv }], triangles }];
 * `links` writes all weights (Source), otherwise each vertex has its one strongest bone (Half-Life).
 */
export function smdReference(rig, meshes, { links = false } = {}) {
  const out = ['version 1', ...nodes(rig), 'skeleton', 'time 0', ...frame(rig, rig.bind()), 'end', 'triangles'];
  for (const { material, points, normals, corners, triangles } of meshes) {
    const lines = corners.map(({ point, uv }) => {
      const { p, w } = points[point];
      const list = weights(rig, w);
      const own = `${list[0][0]} ${place(p)} ${place(normals[point])} ${n(uv[0], 4)} ${n(1 - uv[1], 4)}`;
      return links ? `${own} ${list.length}${list.map(([j, k]) => ` ${j} ${n(k, 3)}`).join('')}` : own;
    });
    for (const t of triangles) out.push(material, ...t.map((i) => lines[i]));
  }
  return `${out.join('\n')}\nend\n`;
}

const place = (v) => turn(TURN, v).map((x) => n(x, 4)).join(' ');

function weights(rig, w) {
  let list = Object.entries(w).map(([joint, k]) => [rig.id(joint), k]).filter(([, k]) => k >= 0.05);
  list.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  list = list.slice(0, 3);
  const sum = list.reduce((s, [, k]) => s + k, 0);
  list = list.map(([j, k]) => [j, Math.round((k / sum) * 1000) / 1000]);
  list[0][1] += 1 - list.reduce((s, [, k]) => s + k, 0);
  return list;
}

/** Shapes of a face. `base`: [{ p, n }]; `shapes`: [{ name, changed: Map from index to { p, n } }]. */
export function vta(rig, base, shapes) {
  const out = ['version 1', ...nodes(rig), 'skeleton', 'time 0 # basis', ...shapes.map(({ name }, i) => `time ${i + 1} # ${name}`), 'end', 'vertexanimation', 'time 0 # basis'];
  const line = (i, { p, n: normal }) => `${i} ${place(p)} ${place(normal)}`;
  base.forEach((v, i) => out.push(line(i, v)));
  shapes.forEach(({ name, changed }, i) => {
    out.push(`time ${i + 1} # ${name}`);
    for (const [k, v] of changed) out.push(line(k, v));
  });
  return `${out.join('\n')}\nend\n`;
}
