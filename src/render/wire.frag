#version 300 es
// In: pixels of triangle edges. Out: one colour.
precision highp float;

uniform vec4 color;

out vec4 pixel;

void main() {
  pixel = color;
}
