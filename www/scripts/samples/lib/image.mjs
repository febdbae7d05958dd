// Pictures: { width, height, data: Uint8Array of RGB, top row first } → TGA and 8-bit BMP files.

/** A 24-bit TGA (type 10, run lengths), bottom row first: the one order that every engine of the time reads alike. */
export function tga({ width, height, data }) {
  const head = Buffer.alloc(18);
  head[2] = 10;
  head.writeUInt16LE(width, 12);
  head.writeUInt16LE(height, 14);
  head[16] = 24;
  const out = [];
  for (let y = height - 1; y >= 0; y--) {
    const at = (x) => (y * width + x) * 3;
    const same = (a, b) => data[at(a)] === data[at(b)] && data[at(a) + 1] === data[at(b) + 1] && data[at(a) + 2] === data[at(b) + 2];
    const put = (x) => out.push(data[at(x) + 2], data[at(x) + 1], data[at(x)]);
    for (let x = 0; x < width; ) {
      let run = 1;
      while (run < 128 && x + run < width && same(x, x + run)) run++;
      if (run > 1) {
        out.push(127 + run);
        put(x);
        x += run;
        continue;
      }
      let raw = 1;
      while (raw < 128 && x + raw < width && !(x + raw + 1 < width && same(x + raw, x + raw + 1))) raw++;
      out.push(raw - 1);
      for (let k = 0; k < raw; k++) put(x + k);
      x += raw;
    }
  }
  return Buffer.concat([head, Buffer.from(out)]);
}

/** An 8-bit BMP of `indices` (top row first) with 256 colours. */
export function bmp({ width, height, indices, palette }) {
  const pad = (width + 3) & ~3;
  const head = Buffer.alloc(54 + 1024);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(head.length + pad * height, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(8, 28);
  head.writeUInt32LE(pad * height, 34);
  head.writeUInt32LE(256, 46);
  palette.forEach(([r, g, b], i) => head.set([b, g, r, 0], 54 + i * 4));
  const rows = Buffer.alloc(pad * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[(height - 1 - y) * pad + x] = indices[y * width + x];
  return Buffer.concat([head, rows]);
}
