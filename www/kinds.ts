// In: names of files. Out: what Rigview reads, and whether a file is of that.
import { formats } from './pkg/rigview.js';

export interface Kind {
  name: string;
  extensions: string[];
}

/** What comes along with models. */
const ALSO: Kind[] = [
  { name: 'Half-Life and Source scripts', extensions: ['qc', 'qci', 'vmt'] },
  { name: 'Quake III and Doom 3 scripts', extensions: ['skin', 'cfg', 'shader', 'mtr'] },
  { name: 'Images', extensions: ['tga', 'jpg', 'png', 'webp', 'pcx', 'bmp', 'dds', 'wal'] },
  { name: 'Archives', extensions: ['pk3', 'pk4', 'zip', 'pak'] },
];

/** Not shown, but named: where a material wants it, or as the format that it is. */
const KNOWN = ['vtf', 'jpeg', 'mdl', 'md2', 'mdr', 'mdc', 'iqm'];

export function kinds(): Kind[] {
  return [...formats(), ...ALSO];
}

export function isRead(path: string): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return KNOWN.includes(extension) || kinds().some(({ extensions }) => extensions.includes(extension));
}
