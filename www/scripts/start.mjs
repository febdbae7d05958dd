// In: nothing but Node and rustup. Out: Rigview at a localhost address, with all that it takes installed and built.
import { npmPackages } from './packages.mjs';
import { buildWasm } from './pkg.mjs';
import { main } from './run.mjs';
import { serve } from './serve.mjs';

await main(async () => {
  await npmPackages();
  await buildWasm();
  await serve();
});
