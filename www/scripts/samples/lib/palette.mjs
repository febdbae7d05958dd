// A picture of RGB pixels → 256 colours and indices, for engines with palettes. Median cut over a 6-bit histogram.

export function indexed({ width, height, data }) {
  const bins = new Map();
  for (let i = 0; i < width * height; i++) {
    const key = ((data[i * 3] >> 2) << 12) | ((data[i * 3 + 1] >> 2) << 6) | (data[i * 3 + 2] >> 2);
    const bin = bins.get(key);
    if (bin) {
      bin.n++;
      for (let k = 0; k < 3; k++) bin.sum[k] += data[i * 3 + k];
    } else bins.set(key, { key, n: 1, sum: [data[i * 3], data[i * 3 + 1], data[i * 3 + 2]] });
  }
  const span = (list) => [0, 1, 2].map((k) => {
    const v = list.map((b) => b.sum[k] / b.n);
    return Math.max(...v) - Math.min(...v);
  });
  const box = (list) => ({ list, span: span(list), n: list.reduce((s, b) => s + b.n, 0) });
  const boxes = [box([...bins.values()].sort((a, b) => a.key - b.key))];
  while (boxes.length < 256) {
    let [best, score] = [-1, 0];
    boxes.forEach((b, i) => {
      const s = Math.max(...b.span) * Math.sqrt(b.n);
      if (b.list.length > 1 && s > score) [best, score] = [i, s];
    });
    if (best < 0) break;
    const { list, span: s, n } = boxes[best];
    const k = s.indexOf(Math.max(...s));
    const sorted = [...list].sort((a, b) => a.sum[k] / a.n - b.sum[k] / b.n || a.key - b.key);
    let [at, seen] = [0, 0];
    while (at < sorted.length - 1 && (at === 0 || seen + sorted[at].n <= n / 2)) seen += sorted[at++].n;
    boxes.splice(best, 1, box(sorted.slice(0, at)), box(sorted.slice(at)));
  }
  const palette = boxes.map(({ list, n }) => [0, 1, 2].map((k) => Math.round(list.reduce((s, b) => s + b.sum[k], 0) / n)));
  while (palette.length < 256) palette.push([0, 0, 0]);
  const of = new Map();
  const indices = new Uint8Array(width * height);
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = [data[i * 3], data[i * 3 + 1], data[i * 3 + 2]];
    const key = (r << 16) | (g << 8) | b;
    if (!of.has(key)) {
      let [best, far] = [0, Infinity];
      for (let k = 0; k < boxes.length; k++) {
        const d = (palette[k][0] - r) ** 2 * 2 + (palette[k][1] - g) ** 2 * 4 + (palette[k][2] - b) ** 2;
        if (d < far) [best, far] = [k, d];
      }
      of.set(key, best);
    }
    indices[i] = of.get(key);
  }
  return { width, height, indices, palette };
}
