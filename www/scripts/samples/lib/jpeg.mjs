// Pictures: { width, height, data: RGB, top row first } → a baseline JPEG without chroma subsampling.
// The transform is done in whole numbers of fixed point, so that the bytes are the same on every machine.

const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29,
  22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];
// The example tables of ITU T.81, annex K.
const LUMA = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109,
  103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const CHROMA = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
  ...new Array(32).fill(99),
];

/** Optimal code lengths (at most 16) for the symbols seen, as annex K.2 of the standard makes them. */
function huffman(counts) {
  const freq = new Array(257).fill(0);
  counts.forEach((c, i) => (freq[i] = c));
  freq[256] = 1; // keeps the code of all ones free
  const size = new Array(257).fill(0);
  const next = new Array(257).fill(-1);
  for (;;) {
    let [a, b] = [-1, -1];
    for (let i = 0; i < 257; i++) if (freq[i] && (a < 0 || freq[i] <= freq[a])) a = i;
    for (let i = 0; i < 257; i++) if (i !== a && freq[i] && (b < 0 || freq[i] <= freq[b])) b = i;
    if (b < 0) break;
    freq[a] += freq[b];
    freq[b] = 0;
    for (size[a]++; next[a] >= 0; ) size[(a = next[a])]++;
    next[a] = b;
    for (size[b]++; next[b] >= 0; ) size[(b = next[b])]++;
  }
  const bits = new Array(64).fill(0);
  for (const s of size) if (s) bits[s]++;
  for (let i = 63; i > 16; i--) {
    while (bits[i] > 0) {
      let j = i - 2;
      while (!bits[j]) j--;
      bits[i] -= 2;
      bits[i - 1]++;
      bits[j + 1] += 2;
      bits[j]--;
    }
  }
  let last = 16;
  while (!bits[last]) last--;
  bits[last]--;
  const values = [];
  for (let s = 1; s < 64; s++) for (let i = 0; i < 256; i++) if (size[i] === s) values.push(i);
  const codes = new Map();
  let [code, k] = [0, 0];
  for (let s = 1; s <= 16; s++, code <<= 1) for (let i = 0; i < bits[s]; i++) codes.set(values[k++], [code++, s]);
  return { bits: bits.slice(1, 17), values, codes };
}

export function jpeg({ width, height, data }, quality = 88) {
  const factor = quality < 50 ? 5000 / quality : 200 - quality * 2;
  const tables = [LUMA, CHROMA].map((t) => t.map((q) => Math.min(255, Math.max(1, Math.floor((q * factor + 50) / 100)))));
  const basis = Array.from({ length: 8 }, (_, u) =>
    Array.from({ length: 8 }, (_, x) => Math.round((u ? 0.5 : Math.SQRT1_2 / 2) * Math.cos(((2 * x + 1) * u * Math.PI) / 16) * 8192)),
  );
  const symbols = []; // [table 0..3, symbol, extra bits, how many]
  const before = [0, 0, 0];
  const bitsOf = (v) => 32 - Math.clz32(Math.abs(v));
  const extra = (v, n) => (v < 0 ? v + (1 << n) - 1 : v);
  for (let by = 0; by < height; by += 8) {
    for (let bx = 0; bx < width; bx += 8) {
      for (let c = 0; c < 3; c++) {
        const block = [];
        for (let y = 0; y < 8; y++) {
          for (let x = 0; x < 8; x++) {
            const i = (Math.min(height - 1, by + y) * width + Math.min(width - 1, bx + x)) * 3;
            const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
            block.push(c === 0 ? 299 * r + 587 * g + 114 * b - 128000 : c === 1 ? -169 * r - 331 * g + 500 * b : 500 * r - 419 * g - 81 * b);
          }
        }
        const rows = new Array(64);
        for (let y = 0; y < 8; y++) {
          for (let u = 0; u < 8; u++) {
            let sum = 0;
            for (let x = 0; x < 8; x++) sum += block[y * 8 + x] * basis[u][x];
            rows[y * 8 + u] = Math.round(sum / 8192);
          }
        }
        const table = tables[c ? 1 : 0];
        const out = new Array(64);
        for (let v = 0; v < 8; v++) {
          for (let u = 0; u < 8; u++) {
            let sum = 0;
            for (let y = 0; y < 8; y++) sum += rows[y * 8 + u] * basis[v][y];
            out[v * 8 + u] = Math.round(sum / 8192 / (1000 * table[v * 8 + u]));
          }
        }
        const dc = out[0] - before[c];
        before[c] = out[0];
        const n = bitsOf(dc);
        symbols.push([c ? 2 : 0, n, extra(dc, n), n]);
        let zeros = 0;
        for (let k = 1; k < 64; k++) {
          const v = out[ZIGZAG[k]];
          if (v === 0) {
            zeros++;
            continue;
          }
          for (; zeros > 15; zeros -= 16) symbols.push([c ? 3 : 1, 0xf0, 0, 0]);
          const m = bitsOf(v);
          symbols.push([c ? 3 : 1, (zeros << 4) | m, extra(v, m), m]);
          zeros = 0;
        }
        if (zeros) symbols.push([c ? 3 : 1, 0, 0, 0]);
      }
    }
  }
  const codes = [0, 1, 2, 3].map((t) => {
    const counts = new Array(256).fill(0);
    for (const s of symbols) if (s[0] === t) counts[s[1]]++;
    return huffman(counts);
  });
  const out = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];
  tables.forEach((t, i) => out.push(0xff, 0xdb, 0, 67, i, ...ZIGZAG.map((k) => t[k])));
  out.push(0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1);
  codes.forEach(({ bits, values }, t) => {
    const size = 19 + values.length;
    out.push(0xff, 0xc4, size >> 8, size & 255, ((t & 1) << 4) | (t >> 1), ...bits, ...values);
  });
  out.push(0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0);
  let [hold, held] = [0, 0];
  const put = (value, count) => {
    for (let i = count - 1; i >= 0; i--) {
      hold = (hold << 1) | ((value >> i) & 1);
      if (++held === 8) {
        out.push(hold);
        if (hold === 0xff) out.push(0);
        [hold, held] = [0, 0];
      }
    }
  };
  for (const [t, symbol, value, count] of symbols) {
    put(...codes[t].codes.get(symbol));
    put(value, count);
  }
  while (held) put(1, 1);
  out.push(0xff, 0xd9);
  return Buffer.from(out);
}
