// In: the browser. Out: what it lacks to run Rigview, as a sentence.

/** A module of one function that returns a v128: only browsers with wasm SIMD accept it. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const OLDEST = 'Chrome and Edge 91, Firefox 89 and Safari 16.4 are the oldest that have it.';

export function missing(): string | undefined {
  if (typeof WebAssembly !== 'object') return `Rigview needs WebAssembly, which this browser lacks. ${OLDEST}`;
  if (!WebAssembly.validate(SIMD)) return `Rigview needs WebAssembly SIMD, which this browser lacks. ${OLDEST}`;
  if (!('WebGL2RenderingContext' in window)) return 'Rigview needs WebGL 2, which this browser lacks.';
  if (!document.createElement('canvas').getContext('webgl2')) {
    return 'Rigview needs WebGL 2. This browser has it, but it is switched off or the graphics driver is blocked: look for "hardware acceleration" in its settings.';
  }
  return undefined;
}
