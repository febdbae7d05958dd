// Fathom's harpoon gun: body, turning barrel and muzzle flash, each in the space of its own tag (grip at the origin, +X ahead).

import { scale } from '../lib/math.mjs';
import { Cage, curve, orient, sweep, triangulate, tube } from '../lib/mesh.mjs';
import { lens, torus, turned } from '../lib/solids.mjs';

export const BARREL = [9.6, 0, 1.9];
export const FLASH = [21.5, 0, 1.9];
const X = [1, 0, 0];

export function body() {
  const cage = new Cage();
  const along = { axis: X, up: [0, 0, 1], sides: 12 };
  turned(cage, { ...along, at: [0, 0, 1.9], profile: [[-6.2, 0], [-6, 1.2], [-5, 1.9], [-2, 2.1], [4, 2.1], [4.6, 1.7], [8.4, 1.7], [8.7, 2.2], [9.8, 2.2], [9.9, 0]], part: 'body' });
  turned(cage, { ...along, at: [0, 0, -0.7], sides: 10, profile: [[1.8, 0], [2, 0.8], [3, 1.35], [8, 1.35], [9, 0.8], [9.2, 0]], part: 'flask' });
  const grip = curve([[0.9, 0, 0.6], [0.1, 0, -2], [-0.9, 0, -4.6]], 5);
  tube(cage, sweep(grip, { up: [0, 1, 0], radius: (t) => [0.3, 1.15, 0.95, 1.1, 0.3][Math.round(t * 4)], wide: () => 1.15, thin: () => 0.75 }), 8, 'grip', 1, true);
  const stock = curve([[-4.6, 0, 1.7], [-6.4, 0, 1.1], [-8.2, 0, 0.3], [-9.2, 0, 0]], 6);
  tube(cage, sweep(stock, { up: [0, 1, 0], radius: (t) => [0.3, 1.1, 1, 1.5, 2.1, 0.3][Math.round(t * 5)], wide: () => 1.1, thin: (t) => 0.85 - 0.3 * t }), 8, 'grip', 1, true);
  torus(cage, { at: [2.2, 0, -1.1], normal: [0, 1, 0], up: [0, 0, 1], a: 1.5, b: 1.3, r: 0.22, h: 0.3, sides: 10, round: 4, part: 'ring' });
  for (const x of [-1.4, 1.4]) torus(cage, { at: [x, 0, 1.9], normal: X, a: 2.25, r: 0.35, h: 0.5, sides: 14, round: 4, part: 'ring' });
  const pipe = curve([[8.6, 0, -0.6], [9.6, 1.6, 0.2], [7, 2.4, 1.6], [4, 1.9, 2.6]], 7);
  tube(cage, sweep(pipe, { radius: (t) => (t > 0 && t < 1 ? 0.4 : 0.05) }), 6, 'ring', 1, true);
  // A dial on the left, a sight on top.
  turned(cage, { at: [-3.4, 1.6, 2.6], axis: [0, 1, 0.35], profile: [[-0.4, 0], [-0.3, 1.25], [0.7, 1.25], [0.9, 0.95], [0.95, 0]], sides: 10, part: 'ring' });
  lens(cage, { at: [-3.4, 2.32, 2.85], normal: [0, 1, 0.35], a: 1, depth: 0.25, sides: 10, part: 'face' });
  tube(cage, sweep(curve([[3.2, 0, 3.6], [3.4, 0, 4.6], [3, 0, 5.4]], 4), { up: [0, 1, 0], radius: (t) => [0.3, 0.7, 0.5, 0.05][Math.round(t * 3)], thin: () => 0.5 }), 6, 'ring', 1, true);
  lens(cage, { at: [0, -2.05, 1.9], normal: [0, -1, 0], a: 1.1, depth: 0.5, sides: 8, part: 'ring' });
  return triangulate(orient(cage));
}

export function barrel() {
  const cage = new Cage();
  for (let i = 0; i < 3; i++) {
    const a = (2 * Math.PI * i) / 3;
    const off = [0, Math.sin(a) * 0.95, Math.cos(a) * 0.95];
    turned(cage, { at: off, axis: X, up: [0, 0, 1], sides: 6, profile: [[-0.6, 0], [-0.5, 0.5], [9.6, 0.45], [9.7, 0]], part: 'rod' });
    // Barbed points, one in each rod.
    turned(cage, { at: off, axis: X, up: [0, 0, 1], sides: 6, profile: [[9.4, 0], [9.5, 0.28], [10.2, 0.28], [10.1, 0.75], [11.9, 0.03]].map(([h, r]) => [h, r]), part: 'point' });
  }
  for (const x of [1.2, 5, 8.6]) torus(cage, { at: [x, 0, 0], normal: X, a: 1.5, r: 0.35, h: 0.45, sides: 12, round: 4, part: 'hoop' });
  return triangulate(orient(cage));
}

/** Four crossed leaves of light; both sides are seen by the shader's `cull disable`. */
export function flash() {
  const cage = new Cage();
  for (let i = 0; i < 4; i++) {
    const a = (Math.PI * i) / 4;
    const across = scale([0, Math.cos(a), Math.sin(a)], 5.2);
    const at = (x, k) => cage.point([x, across[1] * k, across[2] * k], {});
    cage.face([at(-1.5, -1), at(13, -1), at(13, 1), at(-1.5, 1)], [[0, 0], [1, 0], [1, 1], [0, 1]], 'flash');
  }
  return triangulate(cage);
}
