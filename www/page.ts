// In: the wasm package. Out: the page.
import start, { version } from './pkg/rigview.js';

await start();
document.querySelector('#version')!.textContent = `Rigview ${version()}`;
