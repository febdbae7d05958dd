#version 300 es
// In: posed vertices in their part's space. Out: their place on the screen.
precision highp float;

layout(location = 0) in vec3 position;

uniform mat4 clip_from_part;

void main() {
  gl_Position = clip_from_part * vec4(position, 1.0);
}
