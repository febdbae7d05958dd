#version 300 es
// In: points of the floor. Out: a grid that fades with distance, the X and Y axes marked, and a soft shadow under the figure.
precision highp float;

in vec2 point;

uniform vec4 place;
// Units between two lines; every fourth is stronger.
uniform float spacing;
uniform vec4 line_color;
// xy: middle, zw: half axes.
uniform vec4 shadow;
uniform float shadow_strength;

out vec4 pixel;

// How much of this pixel a line covers, 1 pixel wide, every `every` units.
float lines(vec2 at, float every) {
  vec2 cell = at / every;
  vec2 size = max(fwidth(cell), 1e-6);
  vec2 covered = clamp(1.0 - abs(fract(cell - 0.5) - 0.5) / size, 0.0, 1.0);
  // Where lines get closer than a few pixels they would turn into a grey veil.
  covered *= clamp(1.5 - size * 4.0, 0.0, 1.0);
  return max(covered.x, covered.y);
}

float axis(float across) {
  return clamp(1.2 - abs(across) / max(fwidth(across), 1e-6), 0.0, 1.0);
}

void main() {
  float distance_out = length(point - place.xy) / place.w;
  float fade = 1.0 - smoothstep(0.35, 1.0, distance_out);

  float strength = max(lines(point, spacing) * 0.45, lines(point, spacing * 4.0));
  vec3 color = line_color.rgb;
  float on_x = axis(point.y);
  float on_y = axis(point.x);
  color = mix(color, vec3(0.80, 0.27, 0.27), on_x);
  color = mix(color, vec3(0.30, 0.62, 0.30), on_y);
  float alpha = max(strength * line_color.a, max(on_x, on_y) * 0.6) * fade;

  vec2 from_figure = (point - shadow.xy) / max(shadow.zw, 1e-6);
  float shade = shadow_strength * exp(-dot(from_figure, from_figure) * 2.2);

  // The line over the shadow, as one premultiplied colour.
  pixel = vec4(color * alpha, alpha + shade * (1.0 - alpha));
}
