#version 300 es
// In: pixels of a line. Out: its colour, soft at the edges.
precision highp float;

in vec4 line_color;
in vec2 across;

out vec4 pixel;

void main() {
  float inside = clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0);
  pixel = vec4(line_color.rgb, line_color.a * inside);
}
