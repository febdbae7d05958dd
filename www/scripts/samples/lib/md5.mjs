// Writes .md5mesh, .md5anim and .md5camera as Doom 3 reads them: clockwise triangles, texture v down, parent-local
// animation, quaternions as x y z of the conjugate with w >= 0 (the engine's matrices are the transpose of Hamilton's).

import { conj, sub, turn } from './math.mjs';
import { toLocal } from './rig.mjs';

const n = (x, digits = 6) => {
  const s = x.toFixed(digits).replace(/\.?0+$/, '');
  return s === '-0' ? '0' : s;
};
const triple = (v, digits) => `( ${v.map((x) => n(x, digits)).join(' ')} )`;

/** The three numbers a file stores for a turn. */
const stored = (q) => {
  const [x, y, z, w] = conj(q);
  return w < 0 ? [-x, -y, -z] : [x, y, z];
};

/** Weights as whole thousandths that add up to 1; the smallest ones go. */
function biases(w, rig) {
  let list = Object.entries(w).map(([joint, bias]) => ({ joint: rig.id(joint), bias })).filter((k) => k.bias >= 0.012);
  list.sort((a, b) => b.bias - a.bias || a.joint - b.joint);
  const sum = list.reduce((s, k) => s + k.bias, 0);
  list = list.map((k) => ({ joint: k.joint, bias: Math.round((k.bias / sum) * 1000) / 1000 }));
  list[0].bias = Math.round((list[0].bias + 1 - list.reduce((s, k) => s + k.bias, 0)) * 1000) / 1000;
  return list;
}

/** `meshes`: [{ name, shader, points, corners: [{ point, uv }], triangles }] in bind pose. */
export function md5mesh(rig, meshes, commandline) {
  const bind = rig.bind();
  const out = ['MD5Version 10', `commandline "${commandline}"`, '', `numJoints ${bind.length}`, `numMeshes ${meshes.length}`, '', 'joints {'];
  rig.joints.forEach((j, i) => {
    const parent = j.parent < 0 ? '' : rig.joints[j.parent].name;
    out.push(`\t"${j.name}"\t${j.parent} ${triple(bind[i].t)} ${triple(stored(bind[i].q))}\t\t// ${parent}`);
  });
  out.push('}');
  for (const mesh of meshes) {
    const first = new Map();
    const weights = [];
    const verts = mesh.corners.map(({ point, uv }, i) => {
      // Corners of one point share its weights, so that their positions are equal to the last bit and normals run over seams.
      if (!first.has(point)) {
        const list = biases(mesh.points[point].w, rig);
        first.set(point, [weights.length, list.length]);
        for (const { joint, bias } of list) {
          const offset = turn(conj(bind[joint].q), sub(mesh.points[point].p, bind[joint].t));
          weights.push(`\tweight ${weights.length} ${joint} ${n(bias)} ${triple(offset, 4)}`);
        }
      }
      const [start, count] = first.get(point);
      return `\tvert ${i} ( ${n(uv[0], 5)} ${n(uv[1], 5)} ) ${start} ${count}`;
    });
    out.push('', 'mesh {', `\t// meshes: ${mesh.name}`, `\tname "${mesh.name}"`, `\tshader "${mesh.shader}"`, '', `\tnumverts ${verts.length}`, ...verts);
    out.push('', `\tnumtris ${mesh.triangles.length}`, ...mesh.triangles.map(([a, b, c], i) => `\ttri ${i} ${a} ${c} ${b}`));
    out.push('', `\tnumweights ${weights.length}`, ...weights, '}');
  }
  out.push('');
  return out.join('\n');
}

/** `frames`: per frame, model-space { t, q } per joint; `bounds(frame)` gives [mins, maxs]. */
export function md5anim(rig, frames, rate, bounds, commandline) {
  const local = frames.map((f) => toLocal(rig, f).map(({ t, q }) => [...t.map((x) => n(x)), ...stored(q).map((x) => n(x))]));
  const base = local[0];
  let total = 0;
  const flags = base.map((b, j) => {
    let bits = 0;
    for (let k = 0; k < 6; k++) if (local.some((f) => f[j][k] !== b[k])) bits |= 1 << k;
    // The three numbers of a turn belong together: one that stands still is cheap, and the file is easier to read.
    if (bits & 56) bits |= 56;
    const first = total;
    for (let k = 0; k < 6; k++) if (bits & (1 << k)) total++;
    return { bits, first: bits ? first : 0 };
  });
  const out = ['MD5Version 10', `commandline "${commandline}"`, '', `numFrames ${frames.length}`, `numJoints ${base.length}`, `frameRate ${rate}`, `numAnimatedComponents ${total}`, '', 'hierarchy {'];
  rig.joints.forEach((j, i) => out.push(`\t"${j.name}"\t${j.parent} ${flags[i].bits} ${flags[i].first}\t// ${j.parent < 0 ? '' : rig.joints[j.parent].name}`));
  out.push('}', '', 'bounds {');
  for (const f of frames) {
    const [mins, maxs] = bounds(f);
    out.push(`\t${triple(mins, 3)} ${triple(maxs, 3)}`);
  }
  out.push('}', '', 'baseframe {', ...base.map((b) => `\t( ${b.slice(0, 3).join(' ')} ) ( ${b.slice(3).join(' ')} )`), '}');
  local.forEach((f, i) => {
    out.push('', `frame ${i} {`);
    f.forEach((values, j) => {
      const moving = values.filter((_, k) => flags[j].bits & (1 << k));
      if (moving.length) out.push(`\t${moving.join(' ')}`);
    });
    out.push('}');
  });
  out.push('');
  return out.join('\n');
}

/** `frames`: [{ t, q, fov }], q turns X to the view's forward, Y to its left, Z to its up; `cuts`: last frame of each shot but the last one, plus one. */
export function md5camera(frames, rate, cuts, commandline) {
  const out = ['MD5Version 10', `commandline "${commandline}"`, '', `numFrames ${frames.length}`, `frameRate ${rate}`, `numCuts ${cuts.length}`, '', 'cuts {', ...cuts.map((c) => `\t${c}`), '}', '', 'camera {'];
  for (const f of frames) out.push(`\t${triple(f.t, 4)} ${triple(stored(f.q))} ${n(f.fov, 3)}`);
  out.push('}', '');
  return out.join('\n');
}
