// In: the pages' sources and www/pkg. Out: www/dist, whose links are all relative, so that it works from any sub-path.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  base: './',
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  build: {
    // The oldest browsers with wasm SIMD and WebGL 2.
    target: ['chrome91', 'edge91', 'firefox89', 'safari16.4'],
    // The wasm stays a file of its own, which browsers compile while it arrives.
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: page('index.html'), bench: page('bench.html') } },
  },
});
