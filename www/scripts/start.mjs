// In: nothing but Node and rustup. Out: Rigview at a localhost address, with all that it takes installed and built.
import { npmPackages } from './packages.mjs';
import { main, say, www } from './run.mjs';
import { buildWasm } from './pkg.mjs';

await main(async () => {
  await npmPackages();
  await buildWasm();
  const { createServer } = await import('vite');
  const server = await createServer({ root: www, clearScreen: false });
  await server.listen();
  say(`Rigview is at ${server.resolvedUrls.local[0]} (Ctrl+C stops it)`);
});
