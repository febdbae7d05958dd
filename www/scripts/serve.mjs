// In: www with its pkg. Out: Vite's server on localhost, its address printed.
import { say, www } from './run.mjs';

export async function serve() {
  const { createServer } = await import('vite');
  const server = await createServer({ root: www, clearScreen: false });
  await server.listen();
  say(`Rigview is at ${server.resolvedUrls.local[0].replace('127.0.0.1', 'localhost')} (Ctrl+C stops it)`);
  return server;
}
