#version 300 es
// In: the number of a corner. Out: a square of floor around the figure.
precision highp float;

uniform mat4 clip_from_figure;
// xy: middle, z: height of the floor, w: half its side.
uniform vec4 place;

out vec2 point;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  point = place.xy + corner * place.w;
  gl_Position = clip_from_figure * vec4(point, place.z, 1.0);
}
