// Makes the sample "bramble": a Doom 3 creature with three clips and a camera. Out: [{ path, data }] and its index entry.

import { axisAngle, conj, DEG, lookAlong, qmul, sub } from '../lib/math.mjs';
import { md5anim, md5camera, md5mesh } from '../lib/md5.mjs';
import { tga } from '../lib/image.mjs';
import { chartPoint } from '../lib/paint.mjs';
import { posed } from '../lib/rig.mjs';
import { ATLAS, eyePicture, pictures } from './look.mjs';
import { clips, shots } from './motion.mjs';
import { build, rig } from './shape.mjs';

const FOLDER = 'models/md5/bramble';

export function bramble() {
  const body = build();
  const inAtlas = (surface) => ({ ...surface, corners: surface.corners.map((c) => ({ ...c, uv: chartPoint(ATLAS, c.part, c.st) })) });
  const meshes = [
    { name: 'skin', shader: `${FOLDER}/bramble`, ...inAtlas(body.skin) },
    { name: 'horns_claws_leaves', shader: `${FOLDER}/bramble`, ...inAtlas(body.hard) },
    { name: 'eyes', shader: `${FOLDER}/bramble_eye`, ...body.eyes, corners: body.eyes.corners.map((c) => ({ ...c, uv: c.st })) },
  ].map(used);
  const text = md5mesh(rig, meshes, 'Rigview sample: bramble');
  const files = [{ path: `${FOLDER}/bramble.md5mesh`, data: text }];
  for (const { name, rate, frames } of clips()) {
    files.push({ path: `${FOLDER}/${name}.md5anim`, data: md5anim(rig, frames, rate, (f) => bounds(meshes, f), `Rigview sample: bramble ${name}`) });
  }
  const { frames, cuts } = shots();
  const view = frames.map(({ t, to, fov, roll }) => ({ t, fov, q: qmul(lookAlong(sub(to, t), [0, 0, 1]), axisAngle([1, 0, 0], roll * DEG)) }));
  files.push({ path: `${FOLDER}/around.md5camera`, data: md5camera(view, 24, cuts, 'Rigview sample: around bramble') });
  const { color, bump, shine } = pictures(body);
  files.push({ path: `${FOLDER}/bramble.tga`, data: tga(color) });
  files.push({ path: `${FOLDER}/bramble_local.tga`, data: tga(bump) });
  files.push({ path: `${FOLDER}/bramble_s.tga`, data: tga(shine) });
  files.push({ path: `${FOLDER}/bramble_eye.tga`, data: tga(eyePicture()) });
  files.push({ path: 'materials/bramble.mtr', data: MATERIALS });
  return {
    files,
    entry: {
      id: 'bramble',
      title: 'Bramble',
      format: 'MD5',
      description: 'A small forest dragon for Doom 3: one skinned mesh, three clips, bump and specular maps, and a camera with two cuts.',
      open: `${FOLDER}/bramble.md5mesh`,
      clip: 'idle',
    },
  };
}

const MATERIALS = `// Bramble, a sample model of Rigview.

${FOLDER}/bramble
{
	noselfShadow
	diffusemap	${FOLDER}/bramble.tga
	bumpmap		${FOLDER}/bramble_local.tga
	specularmap	${FOLDER}/bramble_s.tga
}

${FOLDER}/bramble_eye
{
	noselfShadow
	diffusemap	${FOLDER}/bramble_eye.tga
	{
		blend	specularmap
		map		_white
	}
}
`;

/** Keeps the points that triangles touch. */
function used(mesh) {
  const ids = new Map();
  const points = [];
  const corners = mesh.corners.map((c) => {
    if (!ids.has(c.point)) ids.set(c.point, points.push(mesh.points[c.point]) - 1);
    return { ...c, point: ids.get(c.point) };
  });
  return { ...mesh, points, corners };
}

/** What the rounding of weights in the file may move a point by. */
const SLACK = 0.02;

/** The box around the skinned model in one frame. */
function bounds(meshes, frame) {
  const bind = rig.bind();
  const mins = [Infinity, Infinity, Infinity];
  const maxs = [-Infinity, -Infinity, -Infinity];
  const world = frame.map(({ t, q }, i) => ({ t, q: qmul(q, conj(bind[i].q)) }));
  for (const { points } of meshes) {
    for (const at of posed(points, rig, world)) {
      for (let k = 0; k < 3; k++) {
        mins[k] = Math.min(mins[k], at[k] - SLACK);
        maxs[k] = Math.max(maxs[k], at[k] + SLACK);
      }
    }
  }
  return [mins, maxs];
}
