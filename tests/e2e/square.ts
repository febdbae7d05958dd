// In: a material's name, or colours. Out: the plainest model that wears it, and the plainest images.
import type { TestFile } from './support';

/** A square of 2 × 2 units that faces +X, its image upright, as a .md5mesh. */
export function square(shader: string, name = 'square.md5mesh'): TestFile {
  const corners = [[-1, 1], [1, 1], [-1, -1], [1, -1]] as const;
  const uvs = [[0, 0], [1, 0], [0, 1], [1, 1]] as const;
  return {
    name,
    bytes: Buffer.from(`MD5Version 10
commandline ""
numJoints 1
numMeshes 1
joints {
  "origin" -1 ( 0 0 0 ) ( 0 0 0 )
}
mesh {
  shader "${shader}"
  numverts 4
${uvs.map(([u, v], index) => `  vert ${index} ( ${u} ${v} ) ${index} 1`).join('\n')}
  numtris 2
  tri 0 0 1 2
  tri 1 1 3 2
  numweights 4
${corners.map(([y, z], index) => `  weight ${index} 0 1 ( 0 ${y} ${z} )`).join('\n')}
}
`),
  };
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

/** A DXT1 file of 8 × 8 pixels in one colour (5, 6 and 5 bits), with its mipmap. */
export function dxt1(name: string, color: number): TestFile {
  const header = Buffer.alloc(128);
  header.write('DDS ');
  header.writeUInt32LE(124, 4);
  header.writeUInt32LE(8, 12);
  header.writeUInt32LE(8, 16);
  header.writeUInt32LE(2, 28);
  header.writeUInt32LE(32, 76);
  header.writeUInt32LE(4, 80);
  header.write('DXT1', 84);
  const block = Buffer.alloc(8);
  block.writeUInt16LE(color, 0);
  block.writeUInt16LE(color, 2);
  return { name, bytes: Buffer.concat([header, ...Array<Buffer>(5).fill(block)]) };
}
