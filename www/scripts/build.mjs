// In: the Rust and the page's sources. Out: www/dist.
import { npmPackages } from './packages.mjs';
import { main } from './run.mjs';
import { buildSite } from './site.mjs';

await main(async () => {
  await npmPackages();
  await buildSite();
});
