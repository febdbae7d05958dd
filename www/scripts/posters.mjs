// In: the built site and its samples. Out: a picture of each sample for the gallery, public/samples/<id>/poster.webp, as the
// page draws it.
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
    const samples = JSON.parse(readFileSync(join(www, 'public/samples/index.json'), 'utf8'));
    for (const { id, title } of samples) {
      const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
      await page.goto(server.resolvedUrls.local[0]);
      await page.waitForSelector('html[data-ready=yes]');
      await page.evaluate((name) => {
        const cards = [...document.querySelectorAll('.card')];
        cards.find((card) => card.textContent.startsWith(name)).click();
      }, title);
      // Textures are decoded in the background, and nothing says in the page when the last is there.
      await page.waitForTimeout(5000);
      await page.keyboard.press(' ');
      await page.keyboard.press('g');
      await page.focus('#canvas');
      for (let step = 0; step < 2; step++) await page.keyboard.press('+');
      await page.waitForTimeout(1500);
      // Only the model: no ground, no panels.
      await page.evaluate(() => {
        document.body.style.background = 'none';
        document.documentElement.style.background = 'none';
        for (const element of document.querySelectorAll('.bar, .panel, #status, #progress')) element.style.visibility = 'hidden';
      });
      const png = (await page.screenshot({ omitBackground: true })).toString('base64');
      const webp = await page.evaluate(
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
        [png, width, height],
      );
      const path = join(www, 'public/samples', id, 'poster.webp');
      writeFileSync(path, Buffer.from(webp, 'base64'));
      say(`${path}: ${Buffer.from(webp, 'base64').length} bytes`);
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
