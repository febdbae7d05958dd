// In: the built site and its samples. Out: a picture of each sample for the gallery, public/samples/<id>/poster.webp, as the
// element draws it, and one of the page, docs/page.webp, for the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as browserPath, chromiumArgs } from './browsers.mjs';
import { main, say, www } from './run.mjs';

const [width, height] = [480, 360];

await main(async () => {
  const { preview } = await import('vite');
  const { chromium } = await import('playwright-core');
  const server = await preview({ root: www, logLevel: 'warn' });
  const browser = await chromium.launch({ executablePath: browserPath(), args: chromiumArgs });
  try {
    const address = server.resolvedUrls.local[0];
    const samples = JSON.parse(readFileSync(join(www, 'public/samples/index.json'), 'utf8'));
    for (const { id, files, clip } of samples) {
      const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
      const src = files.map((file) => new URL(`samples/${file}`, address).href).join(' ');
      await page.goto(`${address}embed.html?${new URLSearchParams({ src, ...(clip && { clip }), background: 'transparent', 'camera-orbit': '25deg 10deg 75%' })}`);
      await page.waitForSelector('rig-view[data-state=shown]');
      // Textures are decoded in the background, and nothing says in the page when the last is there.
      await page.waitForTimeout(3000);
      const png = (await page.screenshot({ omitBackground: true })).toString('base64');
      save(join(www, 'public/samples', id, 'poster.webp'), await asWebp(page, png));
      await page.close();
    }
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark' });
    await page.goto(address);
    await page.waitForSelector('html[data-ready=yes]');
    await page.waitForTimeout(5000);
    save(join(www, 'docs', 'page.webp'), await asWebp(page, (await page.screenshot()).toString('base64'), [1280, 720]));
  } finally {
    await browser.close();
    await server.close();
  }
});

/** A picture of this size from a PNG, both in base64. */
function asWebp(page, png, [w, h] = [width, height]) {
  return page.evaluate(
    async ([data, w, h]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [w, h];
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, w, h);
      return canvas.toDataURL('image/webp', 0.86).split(',')[1];
    },
    [png, w, h],
  );
}

function save(path, webp) {
  const bytes = Buffer.from(webp, 'base64');
  writeFileSync(path, bytes);
  say(`${path}: ${bytes.length} bytes`);
}
