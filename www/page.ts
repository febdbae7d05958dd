// In: the wasm package. Out: the page.
import start, { version } from './pkg/rigview.js';

await start();
document.querySelector('#version')!.textContent = `Rigview ${version()}`;

// For tests and embedders: the wasm runs, and what the page opens with is shown.
document.documentElement.dataset.ready = 'yes';
