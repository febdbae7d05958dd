// In: a CSS colour. Out: red, green, blue and alpha, 0 to 1.

let context: CanvasRenderingContext2D | null | undefined;

/** `undefined` where it is no colour. The browser itself reads it: whatever it knows is a colour here. */
export function cssColor(text: string): number[] | undefined {
  if (!text || !CSS.supports('color', text)) return undefined;
  context ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].map((channel) => channel / 255);
}
