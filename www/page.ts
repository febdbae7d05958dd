// In: a browser of any age. Out: the page, or a sentence that says what is missing.
import { missing } from './support';

const lacks = missing();
if (lacks) {
  const status = document.querySelector('#status')!;
  status.textContent = lacks;
  status.classList.add('fatal');
} else {
  // The rest may use whatever the oldest supported browser has.
  const { start } = await import('./app');
  await start();
}
