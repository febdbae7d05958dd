// In: the Rust sources. Out: www/pkg.
import { npmPackages } from './packages.mjs';
import { buildWasm } from './pkg.mjs';
import { main } from './run.mjs';

await main(async () => {
  await npmPackages();
  await buildWasm();
});
