// In: the sources. Out: www/dist, a folder of plain files for any web server and any sub-path.
import { say, www } from './run.mjs';
import { buildEmbed } from './embed.mjs';
import { buildEmbedWasm, buildWasm } from './pkg.mjs';

export async function buildSite() {
  const env = await buildWasm();
  const { build } = await import('vite');
  await build({ root: www, logLevel: 'warn' });
  say('www/dist is the site');
  await buildEmbedWasm();
  await buildEmbed();
  return env;
}
