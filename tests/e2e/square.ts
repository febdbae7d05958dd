// In: a material's name, or colours. Out: the plainest model that wears it, and the plainest images.
import { crc32, deflateSync } from 'node:zlib';
import type { TestFile } from './support';

/** A square of 2 × 2 units that faces +X, its image upright, as a .md5mesh. */
export function square(shader: string, name = 'square.md5mesh'): TestFile {
  return squares([shader], name);
}

/** Such squares one beside the other, each in a material of its own; four a row. */
export function squares(shaders: string[], name = 'squares.md5mesh'): TestFile {
  const corners = [[-1, 1], [1, 1], [-1, -1], [1, -1]] as const;
  const uvs = [[0, 0], [1, 0], [0, 1], [1, 1]] as const;
  const mesh = (shader: string, index: number) => {
    const [right, down] = [2 * (index % 4), 2 * Math.floor(index / 4)];
    return `mesh {
  shader "${shader}"
  numverts 4
${uvs.map(([u, v], index) => `  vert ${index} ( ${u} ${v} ) ${index} 1`).join('\n')}
  numtris 2
  tri 0 0 1 2
  tri 1 1 3 2
  numweights 4
${corners.map(([y, z], index) => `  weight ${index} 0 1 ( 0 ${y + right} ${z - down} )`).join('\n')}
}
`;
  };
  const head = `MD5Version 10
commandline ""
numJoints 1
numMeshes ${shaders.length}
joints {
  "origin" -1 ( 0 0 0 ) ( 0 0 0 )
}
`;
  return { name, bytes: Buffer.from(head + shaders.map(mesh).join('')) };
}

/** The same square as an .smd, for Half-Life. */
export function smdSquare(texture: string): TestFile {
  const corner = (y: number, z: number) => `0 0 ${y} ${z} 1 0 0 ${(y + 1) / 2} ${(z + 1) / 2}`;
  const [a, b, c, d] = [corner(-1, 1), corner(1, 1), corner(-1, -1), corner(1, -1)];
  const lines = ['version 1', 'nodes', '0 "root" -1', 'end', 'skeleton', 'time 0', '0 0 0 0 0 0 0', 'end', 'triangles', texture, a, c, b, texture, b, c, d, 'end', ''];
  return { name: 'square.smd', bytes: Buffer.from(lines.join('\n')) };
}

type Color = readonly [red: number, green: number, blue: number, alpha?: number];

/** A 32-bit TGA, `rows` from the top. */
export function tga(name: string, rows: Color[][]): TestFile {
  const header = Buffer.alloc(18);
  header[2] = 2;
  header.writeUInt16LE(rows[0]!.length, 12);
  header.writeUInt16LE(rows.length, 14);
  header[16] = 32;
  header[17] = 0x28;
  const pixels = rows.flat().flatMap(([r, g, b, a = 255]) => [b, g, r, a]);
  return { name, bytes: Buffer.concat([header, Buffer.from(pixels)]) };
}

/** An 8-bit BMP of one row. */
export function bmp(name: string, row: Color[]): TestFile {
  const stride = (row.length + 3) & ~3;
  const bytes = Buffer.alloc(54 + 1024 + stride);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54 + 1024, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(row.length, 18);
  bytes.writeInt32LE(1, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  row.forEach(([r, g, b], index) => {
    bytes.set([b, g, r, 0], 54 + index * 4);
    bytes[54 + 1024 + index] = index;
  });
  return { name, bytes };
}

/** A PNG of one row, with alpha. */
export function png(name: string, row: Color[]): TestFile {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(row.length, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 6], 8);
  const pixels = Buffer.from([0, ...row.flatMap(([r, g, b, a = 255]) => [r, g, b, a])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  return { name, bytes: Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]) };
}

/** A DXT1 file of 8 × 8 pixels in one colour (5, 6 and 5 bits), with its mipmaps. */
export function dxt1(name: string, color: number, side?: number): TestFile {
  const block = Buffer.alloc(8);
  block.writeUInt16LE(color, 0);
  block.writeUInt16LE(color, 2);
  return dds(name, 'DXT1', block, side);
}

/** A normal map as Doom 3 compresses it: x in alpha, y and z in green and blue, of 6 and 5 bits. */
export function rxgb(name: string, x: number, y6: number, z5: number): TestFile {
  const block = Buffer.alloc(16);
  block.set([x, x]);
  block.writeUInt16LE((y6 << 5) | z5, 8);
  block.writeUInt16LE((y6 << 5) | z5, 10);
  return dds(name, 'RXGB', block);
}

/** A normal map of two channels. */
export function bc5(name: string, x: number, y: number): TestFile {
  const block = Buffer.alloc(16);
  block.set([x, x]);
  block.set([y, y], 8);
  return dds(name, 'BC5U', block);
}

/** A square of so many pixels, all blocks alike, with mipmaps down to one pixel. */
function dds(name: string, kind: string, block: Buffer, side = 8): TestFile {
  const sides = Array.from({ length: Math.log2(side) + 1 }, (_, level) => side >> level);
  const header = Buffer.alloc(128);
  header.write('DDS ');
  header.writeUInt32LE(124, 4);
  header.writeUInt32LE(side, 12);
  header.writeUInt32LE(side, 16);
  header.writeUInt32LE(sides.length, 28);
  header.writeUInt32LE(32, 76);
  header.writeUInt32LE(4, 80);
  header.write(kind, 84);
  return { name, bytes: Buffer.concat([header, ...sides.flatMap((side) => Array<Buffer>(Math.ceil(side / 4) ** 2).fill(block))]) };
}
