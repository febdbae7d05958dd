// Makes the sample "fathom": a Quake III player in three parts with skins, and its weapon. Out: files and an index entry.

import { add, turn } from '../lib/math.mjs';
import { jpeg } from '../lib/jpeg.mjs';
import { md3 } from '../lib/md3.mjs';
import { bake, chartPoint, openness } from '../lib/paint.mjs';
import { posed } from '../lib/rig.mjs';
import { BODY, bodyPaint, flashPicture, GUN, gunPaint, HEAD, headPaint, reflectionPicture, SKINS } from './look.mjs';
import { headTag, rows, torsoTag } from './motion.mjs';
import { head, legs, lower, NECK, trunk, upper } from './shape.mjs';
import { BARREL, barrel, body, FLASH, flash } from './weapon.mjs';

const PLAYER = 'models/players/fathom';
const WEAPON = 'models/weapons2/harpoon';
/** The ground under the player's origin. */
const FLOOR = -24;
const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export function fathom() {
  const low = lower();
  const up = upper();
  const top = head();
  const all = rows();

  // Frames in the order of animation.cfg; the legs have none for the rows of the trunk alone.
  const legFrames = [];
  const trunkFrames = [];
  const names = [];
  const config = [];
  let first = 0;
  for (const row of all) {
    const count = (row.trunk ?? row.legs ?? []).length;
    const start = row.last ? first - 1 : first;
    config.push({ ...row, first: start, count: row.last ? 1 : count });
    first += count;
    const label = (i) => `${row.name.replace(/^(BOTH|TORSO|LEGS)_/, '').toLowerCase()}${i}`;
    for (const list of [row.legs, row.trunk]) {
      list?.forEach((frame, i) => {
        (list === row.legs ? legFrames : trunkFrames).push(frame);
        names.push([list === row.legs, label(i)]);
      });
    }
  }
  // The dying settle on the ground, not in it.
  const low0 = (points) => points.reduce((z, q) => Math.min(z, q[2]), 0);
  for (let i = 0; i < config.find((row) => row.name === 'TORSO_GESTURE').first; i++) {
    const tag = torsoTag(legFrames[i]);
    const inTag = (shape, world) => posed(shape.points, trunk, world).map((p) => add(tag.t, turn(tag.q, p)));
    const helmet = headTag(trunkFrames[i].world);
    const z = Math.min(
      low0([...posed(low.suit.points, legs, legFrames[i]), ...posed(low.gear.points, legs, legFrames[i])]),
      low0([...inTag(up.suit, trunkFrames[i].world), ...inTag(up.gear, trunkFrames[i].world)]),
      low0(top.points.map((q) => add(tag.t, turn(tag.q, add(helmet.t, turn(helmet.q, q.p)))))),
    );
    if (z < FLOOR) for (const joint of legFrames[i]) joint.t = add(joint.t, [0, 0, FLOOR - z]);
  }
  const labels = (ofLegs) => names.filter(([mine]) => mine === ofLegs).map(([, label]) => label);

  const surface = (name, shader, shape, atlas, frames, rig) => ({ name, shader, ...charted(shape, atlas), frames: frames.map((world) => posed(shape.points, rig, world)) });
  const tag = (name, list) => ({ name, frames: list.map(({ t, q }) => ({ origin: t, axes: AXES.map((a) => turn(q, a)) })) });
  const still = (name, shader, shape, atlas) => ({ name, shader, ...charted(shape, atlas), frames: [shape.points.map((q) => q.p)] });
  const own = (shape, keep) => only(shape, keep);
  const glassPart = (part) => part === 'glass' || part === 'pane';

  const files = [
    {
      path: `${PLAYER}/lower.md3`,
      data: md3('lower', labels(true), [surface('l_legs', `${PLAYER}/fathom`, low.suit, BODY, legFrames, legs), surface('l_gear', `${PLAYER}/fathom`, low.gear, BODY, legFrames, legs)], [tag('tag_torso', legFrames.map(torsoTag))]),
    },
    {
      path: `${PLAYER}/upper.md3`,
      data: md3(
        'upper',
        labels(false),
        [surface('u_torso', `${PLAYER}/fathom`, up.suit, BODY, trunkFrames.map((f) => f.world), trunk), surface('u_gear', `${PLAYER}/fathom`, up.gear, BODY, trunkFrames.map((f) => f.world), trunk)],
        [
          tag('tag_head', trunkFrames.map((f) => headTag(f.world))),
          tag('tag_weapon', trunkFrames.map((f) => ({ t: f.gun.p, q: f.gun.q }))),
          tag('tag_torso', trunkFrames.map(() => ({ t: [0, 0, 0], q: [0, 0, 0, 1] }))),
        ],
      ),
    },
    {
      path: `${PLAYER}/head.md3`,
      data: md3('head', ['head'], [still('h_helmet', `${PLAYER}/helmet`, own(top, (p) => !glassPart(p)), HEAD), still('h_glass', `${PLAYER}/glass`, own(top, glassPart), HEAD)], [tag('tag_head', [{ t: [0, 0, 0], q: [0, 0, 0, 1] }])]),
    },
    { path: `${PLAYER}/animation.cfg`, data: animationConfig(config) },
  ];
  for (const skin of Object.keys(SKINS)) {
    const image = skin === 'default' ? 'fathom' : `fathom_${skin}`;
    files.push({ path: `${PLAYER}/lower_${skin}.skin`, data: `l_legs,${PLAYER}/${image}.tga\nl_gear,${PLAYER}/${image}.tga\ntag_torso,\n` });
    files.push({ path: `${PLAYER}/upper_${skin}.skin`, data: `u_torso,${PLAYER}/${image}.tga\nu_gear,${PLAYER}/${image}.tga\ntag_head,\ntag_weapon,\ntag_torso,\n` });
    files.push({ path: `${PLAYER}/head_${skin}.skin`, data: `h_helmet,${PLAYER}/helmet.tga\nh_glass,${PLAYER}/glass\ntag_head,\n` });
  }

  // Pictures are baked on the whole diver, so that helmet, arms and belt shade what lies under them.
  const bodyParts = [low.suit, low.gear, up.suit, up.gear];
  const assembled = joined([...bodyParts.map((s) => [s, [0, 0, 0]]), [top, NECK]]);
  const open = openness(assembled, { reach: 18 });
  for (const skin of Object.keys(SKINS)) {
    const own = { ...assembled, triangles: assembled.triangles.filter((t) => assembled.corners[t[0]].part in BODY.charts) };
    files.push({ path: `${PLAYER}/${skin === 'default' ? 'fathom' : `fathom_${skin}`}.jpg`, data: jpeg(bake(own, BODY, open, bodyPaint(skin)).color, 90) });
  }
  const alone = joined([[top, [0, 0, 0]]]);
  const helmet = bake(alone, HEAD, open.slice(open.length - top.points.length), headPaint).color;
  files.push({ path: `${PLAYER}/helmet.jpg`, data: jpeg(helmet, 92) });
  files.push({ path: `${PLAYER}/reflection.jpg`, data: jpeg(reflectionPicture(), 90) });

  const gun = body();
  const rods = barrel();
  const light = flash();
  const origin = (t) => [{ t, q: [0, 0, 0, 1] }];
  files.push({ path: `${WEAPON}/harpoon.md3`, data: md3('harpoon', ['harpoon'], [still('w_harpoon', `${WEAPON}/harpoon`, gun, GUN)], [tag('tag_weapon', origin([0, 0, 0])), tag('tag_barrel', origin(BARREL)), tag('tag_flash', origin(FLASH))]) });
  files.push({ path: `${WEAPON}/harpoon_barrel.md3`, data: md3('harpoon_barrel', ['barrel'], [still('w_barrel', `${WEAPON}/harpoon`, rods, GUN)], [tag('tag_barrel', origin([0, 0, 0]))]) });
  files.push({ path: `${WEAPON}/harpoon_flash.md3`, data: md3('harpoon_flash', ['flash'], [still('w_flash', `${WEAPON}/flash`, light, null)], [tag('tag_flash', origin([0, 0, 0]))]) });
  const weapon = joined([[gun, [0, 0, 0]], [rods, BARREL]]);
  files.push({ path: `${WEAPON}/harpoon.jpg`, data: jpeg(bake(weapon, GUN, openness(weapon, { reach: 10 }), gunPaint).color, 90) });
  files.push({ path: `${WEAPON}/flash.jpg`, data: jpeg(flashPicture(), 90) });
  files.push({ path: 'scripts/fathom.shader', data: SHADERS });
  return {
    files,
    entry: {
      id: 'fathom',
      title: 'Fathom',
      format: 'MD3',
      description: 'A deep-sea diver for Quake III: lower, upper and head on their tags, all 25 animations, three skins, and a harpoon gun.',
      open: `${PLAYER}/lower.md3`,
      clip: 'LEGS_IDLE',
    },

  };
}

const SHADERS = `// Fathom, a sample model of Rigview.

${PLAYER}/glass
{
	{
		map ${PLAYER}/helmet.jpg
		rgbGen lightingDiffuse
	}
	{
		map ${PLAYER}/reflection.jpg
		blendFunc GL_ONE GL_ONE
		tcGen environment
		rgbGen identity
	}
}

${WEAPON}/flash
{
	cull disable
	surfaceparm trans
	{
		map ${WEAPON}/flash.jpg
		blendFunc GL_ONE GL_ONE
	}
}
`;

function animationConfig(config) {
  const out = ['// Fathom, a sample model of Rigview.', '', 'sex m', 'headoffset 0 0 0', 'footsteps boot', '', '// first frame, number of frames, looping frames, frames a second', ''];
  for (const { name, first, count, loop, rate } of config) out.push(`${first}\t${count}\t${loop}\t${rate}\t\t// ${name}`);
  return `${out.join('\n')}\n`;
}

/** Corners with their place in an atlas (or in the chart itself). */
const charted = (shape, atlas) => ({
  corners: shape.corners.map((c) => ({ point: c.point, uv: (atlas ? chartPoint(atlas, c.part, c.st) : c.st).map((x) => Math.round(x * 1e5) / 1e5) })),
  triangles: shape.triangles,
});

/** The part of a surface whose charts `keep` accepts. */
function only(shape, keep) {
  const points = [];
  const ids = new Map();
  const corners = [];
  const map = shape.corners.map((c) => {
    if (!keep(c.part)) return -1;
    if (!ids.has(c.point)) ids.set(c.point, points.push(shape.points[c.point]) - 1);
    return corners.push({ ...c, point: ids.get(c.point) }) - 1;
  });
  return { points, corners, triangles: shape.triangles.filter((t) => map[t[0]] >= 0).map((t) => t.map((i) => map[i])) };
}

function joined(list) {
  const out = { points: [], corners: [], triangles: [] };
  for (const [s, off] of list) {
    const [p, c] = [out.points.length, out.corners.length];
    out.points.push(...s.points.map((q) => ({ ...q, p: add(q.p, off) })));
    out.corners.push(...s.corners.map((k) => ({ ...k, point: k.point + p })));
    out.triangles.push(...s.triangles.map((t) => t.map((i) => i + c)));
  }
  return out;
}

