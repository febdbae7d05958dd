// Makes the sample "murmur": a Source head with linked weights, six flexes in a .vta, and two sequences. Out: files and entry.

import { distance, euler, smooth } from '../lib/math.mjs';
import { jpeg } from '../lib/jpeg.mjs';
import { pointNormals } from '../lib/mesh.mjs';
import { bake, chartPoint, openness } from '../lib/paint.mjs';
import { Pose } from '../lib/rig.mjs';
import { smdAnimation, smdReference, vta } from '../lib/smd.mjs';
import { CLOTH, clothPaint, eyePicture, material, SKIN, skinPaint } from './look.mjs';
import { build, rig, SHAPES } from './shape.mjs';

const wave = (x) => Math.sin(2 * Math.PI * x);

function droop(pose, x, swing, lag = 0.12) {
  ['hat1', 'hat2', 'hat3', 'bobble'].forEach((joint, i) => {
    pose.turn(joint, euler(swing[0] * wave(x - lag * (i + 1)), swing[1] * wave(2 * x - lag * (i + 1)), swing[2] * wave(x - lag * (i + 1))));
  });
}

function idle(x) {
  const pose = new Pose(rig);
  const breath = wave(2 * x);
  const look = smooth(0.1, 0.2, x) * smooth(0.46, 0.36, x) - smooth(0.55, 0.66, x) * smooth(0.94, 0.82, x);
  const early = smooth(0.07, 0.12, x) * smooth(0.43, 0.34, x) - smooth(0.52, 0.58, x) * smooth(0.91, 0.8, x);
  pose.turn('bust', euler(0, 0.6 * breath, 0)).move('bust', [0, 0, 0.12 * breath]);
  pose.turn('neck', euler(8 * look, 1.5 * breath, 2 * look));
  pose.turn('head', euler(14 * look, 1.2 * wave(2 * x - 0.15), 5 * look));
  for (const side of ['_l', '_r']) pose.turn(`eye${side}`, euler(16 * early - 4 * look, 0, 0));
  pose.turn('ear_l', euler(4 * wave(x - 0.2), 0, 5 * wave(2 * x)));
  pose.turn('ear_r', euler(4 * wave(x - 0.2), 0, -5 * wave(2 * x)));
  droop(pose, x, [8, 2, 3]);
  return pose.frames();
}

function nod(x) {
  const pose = new Pose(rig);
  const on = smooth(0, 0.15, x) * smooth(1, 0.82, x);
  const dip = on * Math.sin(2 * Math.PI * x * 3);
  pose.turn('neck', euler(0, 5 * dip, 0));
  pose.turn('head', euler(0, 11 * dip, 0));
  pose.turn('jaw', euler(0, 7 * on * Math.max(0, Math.sin(2 * Math.PI * (x * 6 - 0.3))), 0));
  for (const side of ['_l', '_r']) pose.turn(`eye${side}`, euler(0, -8 * dip, 0));
  pose.turn('ear_l', euler(0, 5 * dip, 0)).turn('ear_r', euler(0, 5 * dip, 0));
  ['hat1', 'hat2', 'hat3', 'bobble'].forEach((joint, i) => pose.turn(joint, euler(0, -7 * on * Math.sin(2 * Math.PI * (x * 3 - 0.1 * (i + 1))), 0)));
  return pose.frames();
}

const loop = (n, make) => {
  const frames = Array.from({ length: n }, (_, i) => make(i / n));
  return [...frames, frames[0]];
};

export function murmur() {
  const { skin, parts } = build();
  const all = {
    points: [...skin.points, ...parts.points],
    corners: [...skin.corners, ...parts.corners.map((c) => ({ ...c, point: c.point + skin.points.length }))],
    triangles: [...skin.triangles, ...parts.triangles.map((t) => t.map((i) => i + skin.corners.length))],
  };
  const normals = pointNormals(all);
  const atlas = { skin: SKIN, cloth: CLOTH };
  const meshes = ['skin', 'cloth', 'eye'].map((kind) => ({
    material: `murmur_${kind}`,
    points: all.points,
    normals,
    corners: all.corners.map((c) => ({ ...c, uv: kind !== material(c.part) ? [0, 0] : kind === 'eye' ? c.st : chartPoint(atlas[kind], c.part, c.st) })),
    triangles: all.triangles.filter((t) => material(all.corners[t[0]].part) === kind),
  }));
  const partOf = new Map(all.corners.map((c) => [c.point, c.part]));
  const used = [...partOf.keys()].sort((a, b) => a - b);
  const base = used.map((i) => ({ p: all.points[i].p, n: normals[i] }));
  const shapes = SHAPES.map(([name, move]) => {
    const moved = all.points.map(({ p, w }, i) => {
      if (!partOf.has(i)) return { p, w };
      // Points on the middle line take both sides' half.
      const to = (k) => move(p, partOf.get(i), k, w.jaw ?? 0);
      return { p: Math.abs(p[1]) < 1e-6 ? middle(to(1), to(-1)) : to(Math.sign(p[1])), w };
    });
    const bent = pointNormals({ ...all, points: moved });
    const changed = new Map();
    used.forEach((i, k) => {
      if (distance(moved[i].p, all.points[i].p) > 0.004 || distance(bent[i], normals[i]) > 0.02) changed.set(k, { p: moved[i].p, n: bent[i] });
    });
    return { name, changed };
  });
  const open = openness(all, { reach: 14 });
  const of = (kind) => ({ ...all, triangles: all.triangles.filter((t) => material(all.corners[t[0]].part) === kind) });
  const files = [
    { path: 'murmur.smd', data: smdReference(rig, meshes, { links: true }) },
    { path: 'murmur.vta', data: vta(rig, base, shapes) },
    { path: 'murmur_idle.smd', data: smdAnimation(rig, loop(72, idle)) },
    { path: 'murmur_nod.smd', data: smdAnimation(rig, loop(48, nod)) },
    { path: 'murmur_skin.jpg', data: jpeg(bake(of('skin'), SKIN, open, skinPaint).color, 90) },
    { path: 'murmur_cloth.jpg', data: jpeg(bake(of('cloth'), CLOTH, open, clothPaint).color, 88) },
    { path: 'murmur_eye.jpg', data: jpeg(eyePicture(), 92) },
    { path: 'murmur.qc', data: script(shapes.map(({ name }) => name)) },
  ];
  return {
    files,
    entry: {
      id: 'murmur',
      title: 'Murmur',
      format: 'SMD + VTA',
      description: 'A gnome for Source with linked weights and a face to pull: six flexes from a .vta add up as you like.',
      open: 'murmur.qc',
      clip: 'idle',
    },
  };
}

const middle = (a, b) => a.map((x, i) => (x + b[i]) / 2);

const script = (names) => `// Murmur, a sample model of Rigview.

$modelname "rigview/murmur.mdl"
$cdmaterials "models/rigview"

$model "gnome" "murmur.smd" {
	flexfile "murmur.vta" {
		defaultflex frame 0
${names.map((name, i) => `\t\tflex "${name}" frame ${i + 1}`).join('\n')}
	}
${names.map((name) => `\tflexcontroller face ${name} range 0 1`).join('\n')}
${names.map((name) => `\t%${name} = ${name}`).join('\n')}
}

$attachment "mouth" "head" 9 0 2

$sequence "idle" "murmur_idle" fps 24 loop ACT_IDLE 1
$sequence "nod" "murmur_nod" fps 24 loop
`;
