export const MD3_FRAMES: number;
export function generate(format: 'md5mesh' | 'md5anim' | 'smd' | 'md3', vertices: number): Uint8Array;
