// In: the browser. Out: whether it lacks wasm SIMD, without which the wasm does not compile.

/** A module of one function that returns a v128: only browsers with wasm SIMD accept it. */
const PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

export function lacksSimd(): boolean {
  return typeof WebAssembly !== 'object' || !WebAssembly.validate(PROBE);
}
