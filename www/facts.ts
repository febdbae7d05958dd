// In: a model. Out: its numbers, meshes and materials.
import type { CheckSubject, Model, Viewer } from './pkg/rigview.js';
import { byId, el, grouped, units } from './dom';
import type { Pointer } from './point';

export function showFacts(model: Model, viewer: Viewer, pointer: Pointer): void {
  const { meshes, joints, tags, bounds, materials, info } = model;
  const sum = (pick: (mesh: (typeof meshes)[number]) => number) => meshes.reduce((total, mesh) => total + pick(mesh), 0);
  const size = [0, 1, 2].map((axis) => units(bounds[axis + 3]! - bounds[axis]!));
  const rows: [string, string][] = [
    ['Triangles', grouped(sum((mesh) => mesh.triangles))],
    ['Vertices', grouped(sum((mesh) => mesh.vertices))],
    ['Meshes', grouped(meshes.length)],
  ];
  if (joints.length > 0) rows.push(['Joints', grouped(joints.length)]);
  if (tags.length > 0) rows.push(['Tags', grouped(tags.length)]);
  if (meshes.length > 0) rows.push(['Size', `${size.join(' × ')} units`]);
  rows.push(['Grid', `${units(viewer.gridSpacing)} units`]);
  const pointing = (text: string, subject: CheckSubject) => {
    const button = el('button', { type: 'button', class: 'name' }, text);
    pointer.bind(button, subject);
    return button;
  };
  const parts: HTMLElement[] = [el('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))];
  if (meshes.length > 0) {
    parts.push(
      fold(
        `${meshes.length === 1 ? 'Mesh' : 'Meshes'}`,
        ...meshes.map((mesh, index) => el('li', {}, pointing(mesh.part ? `${mesh.part} / ${mesh.name || 'mesh'}` : mesh.name || 'mesh', { mesh: index }), el('span', { class: 'aside' }, `${grouped(mesh.triangles)} tris`), el('span', { class: 'path' }, mesh.material))),
      ),
    );
  }
  const dressed = materials.filter((material) => material.images.length > 0);
  if (dressed.length > 0) {
    parts.push(
      fold(
        'Textures',
        ...dressed.flatMap((material) =>
          material.images.map((image) => el('li', {}, el('span', { class: 'name' }, image.name || material.name), el('span', { class: 'aside' }, image.slot), el('span', { class: image.path === undefined ? 'path gone' : 'path' }, image.path ?? 'missing'))),
        ),
      ),
    );
  }
  if (joints.length > 0) parts.push(fold('Joints', ...joints.map((joint, index) => el('li', {}, pointing(joint.name, { joint: index }), el('span', { class: 'aside' }, joint.parent < 0 ? 'root' : (joints[joint.parent]?.name ?? ''))))));
  const said = Object.entries(info).flatMap(([name, value]) => {
    const text = isFrames(name) ? '' : plain(value);
    return text ? [el('li', {}, el('span', { class: 'key' }, name), el('span', { class: 'value' }, text))] : [];
  });
  if (said.length > 0) parts.push(fold('From the files', ...said));
  for (const [name, value] of Object.entries(info)) {
    if (!isFrames(name) || !Array.isArray(value)) continue;
    const part = name.includes('.') ? ` of ${name.split('.')[0]}` : '';
    parts.push(fold(`Frame names${part}`, ...value.map((frame, index) => el('li', {}, el('span', { class: 'key' }, String(index)), el('span', { class: 'value' }, plain(frame))))));
  }
  byId('facts-body').replaceChildren(...parts);
}

function fold(title: string, ...rows: HTMLElement[]): HTMLElement {
  return el('details', { class: 'fold' }, el('summary', {}, `${title} (${rows.length})`), el('ul', { class: 'table' }, ...rows.slice(0, 500)));
}

/** Names of frames go by their numbers, in a list of their own: `frameNames`, `lower.frameNames`. */
function isFrames(name: string): boolean {
  return /(^|\.)frameNames$/.test(name);
}

/** Sequences, controllers and the like: a line each. */
function lines(list: string[]): string {
  const shown = list.slice(0, 200);
  if (shown.length < list.length) shown.push(`and ${list.length - shown.length} more`);
  return shown.join('\n');
}

/** Facts are what a file says: short texts and numbers. */
function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return units(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return lines(value);
  if (Array.isArray(value)) return value.length <= 12 ? value.map(plain).join(', ') : `${value.length} values`;
  return '';
}
