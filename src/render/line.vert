#version 300 es
// In: one line an instance. Out: a strip of four corners around it, of even width on the screen.
precision highp float;

layout(location = 0) in vec3 from;
layout(location = 1) in vec4 color;
layout(location = 2) in vec3 to;
layout(location = 3) in float width;

uniform mat4 clip_from_figure;
// Half the canvas, in pixels.
uniform vec2 half_size;

out vec4 line_color;
// Pixels from the middle of the line, and half its width.
out vec2 across;

// The part of the line that is behind the camera is cut off.
vec4 in_front(vec4 point, vec4 other) {
  const float NEAR = 1e-5;
  return point.w > NEAR ? point : mix(point, other, clamp((NEAR - point.w) / (other.w - point.w), 0.0, 1.0));
}

void main() {
  vec4 a = clip_from_figure * vec4(from, 1.0);
  vec4 b = clip_from_figure * vec4(to, 1.0);
  if (a.w <= 0.0 && b.w <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec4 start = in_front(a, b);
  vec4 end = in_front(b, a);
  vec2 along = (end.xy / end.w - start.xy / start.w) * half_size;
  float length_on_screen = length(along);
  // A line without length is a dot.
  vec2 direction = length_on_screen > 1e-4 ? along / length_on_screen : vec2(1.0, 0.0);
  vec2 side = vec2(-direction.y, direction.x);

  float reach = width * 0.5 + 1.0;
  bool at_end = gl_VertexID >= 2;
  float hand = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  vec4 corner = at_end ? end : start;
  vec2 shift = side * hand * reach + direction * (at_end ? 1.0 : -1.0) * (width * 0.5);
  corner.xy += shift / half_size * corner.w;

  gl_Position = corner;
  line_color = color;
  across = vec2(hand * reach, width * 0.5);
}
