// In: changes under src/. Out: the same as start.mjs, with the wasm rebuilt and the page reloaded on each change.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { npmPackages } from './packages.mjs';
import { buildWasm } from './pkg.mjs';
import { main, root } from './run.mjs';
import { serve } from './serve.mjs';

let building = Promise.resolve();
let timer;

await main(async () => {
  await npmPackages();
  await buildWasm();
  const server = await serve();
  const rebuild = () =>
    (building = building.then(buildWasm).then(
      () => server.ws.send({ type: 'full-reload' }),
      // A program that does not compile yet is no reason to stop watching.
      (error) => console.error(error.message),
    ));
  watch(join(root, 'src'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuild, 200);
  });
});
