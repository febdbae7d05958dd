#version 300 es
// In: posed vertices in their part's space. Out: the surface seen from the camera, and texture coordinates by the layer's rules.
// Formulas of Quake III (code/renderergl1/tr_shade_calc.c) and Half-Life (utils/mdlviewer/studio_render.cpp).
precision highp float;
precision highp int;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 mesh_uv;

uniform mat4 clip_from_part;
uniform mat4 view_from_part;
// The camera in part space.
uniform vec3 part_eye;
uniform vec3 part_right;

uniform int deforms;
// x: kind (0 wave, 1 bulge, 2 move); then wave: function, spread, phase now | bulge: width, height, phase now
uniform vec4 deform_kind[3];
// wave: base, amplitude | move: direction
uniform vec4 deform_value[3];

// 0 the mesh's own, 1 environment, 2 chrome
uniform int tex_coords;
uniform int tex_steps;
// Columns of a 2 x 2 matrix.
uniform vec4 tex_matrix[4];
// xy: shift; z: amplitude of the ripple, w: its phase in turns.
uniform vec4 tex_offset[4];

out vec3 view_position;
out vec3 view_normal;
out vec4 view_tangent;
out vec2 uv;

invariant gl_Position;

const float TURN = 6.2831853;

float wave(int function, float turns) {
  float turn = fract(turns);
  if (function == 0) return sin(turn * TURN);
  if (function == 1) return turn < 0.25 ? turn * 4.0 : turn < 0.75 ? 2.0 - turn * 4.0 : turn * 4.0 - 4.0;
  if (function == 2) return turn < 0.5 ? 1.0 : -1.0;
  if (function == 3) return turn;
  return 1.0 - turn;
}

vec3 deformed(vec3 point, vec3 unit_normal) {
  for (int i = 0; i < deforms; i++) {
    vec4 kind = deform_kind[i];
    vec4 value = deform_value[i];
    if (kind.x == 0.0) {
      float turns = kind.w + dot(point, vec3(1.0)) * kind.z;
      point += unit_normal * (value.x + value.y * wave(int(kind.y), turns));
    } else if (kind.x == 1.0) {
      point += unit_normal * (sin(mesh_uv.x * kind.y + kind.w) * kind.z);
    } else {
      point += value.xyz;
    }
  }
  return point;
}

vec2 environment(vec3 point, vec3 unit_normal) {
  vec3 to_eye = normalize(part_eye - point);
  vec3 mirrored = unit_normal * 2.0 * dot(unit_normal, to_eye) - to_eye;
  return vec2(0.5 + mirrored.y * 0.5, 0.5 - mirrored.z * 0.5);
}

// Half-Life takes the bone's place for the view direction; here it is the vertex's.
vec2 chrome(vec3 point, vec3 unit_normal) {
  vec3 ahead = normalize(point - part_eye);
  vec3 down = normalize(cross(ahead, part_right));
  vec3 side = normalize(cross(ahead, down));
  return vec2(dot(unit_normal, side), dot(unit_normal, down)) * 0.5 + 0.5;
}

void main() {
  float length_of_normal = length(normal);
  vec3 unit_normal = length_of_normal > 0.0 ? normal / length_of_normal : vec3(0.0);
  vec3 point = deformed(position, unit_normal);

  vec2 st = mesh_uv;
  if (tex_coords == 1) st = environment(point, unit_normal);
  if (tex_coords == 2) st = chrome(point, unit_normal);
  for (int i = 0; i < tex_steps; i++) {
    st = tex_matrix[i].xy * st.x + tex_matrix[i].zw * st.y + tex_offset[i].xy;
    vec2 ripple = vec2(position.x + position.z, position.y) / 1024.0 + tex_offset[i].w;
    st += sin(ripple * TURN) * tex_offset[i].z;
  }
  uv = st;

  view_position = (view_from_part * vec4(point, 1.0)).xyz;
  view_normal = mat3(view_from_part) * unit_normal;
  view_tangent = vec4(mat3(view_from_part) * tangent.xyz, tangent.w);
  gl_Position = clip_from_part * vec4(point, 1.0);
}
