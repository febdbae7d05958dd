#version 300 es
// In: the surface seen from the camera, its images. Out: sRGB colour. Light is added up linearly; layers blend on encoded
// values, as in the games.
precision highp float;
precision highp int;

in vec3 view_position;
in vec3 view_normal;
in vec4 view_tangent;
in vec2 uv;

// Colour images come out linear, by the texture's format.
uniform sampler2D image;
uniform sampler2D bump;
uniform sampler2D specular;

// sRGB.
uniform vec4 color;
// 0 lit, 1 unlit, 2 flat
uniform int shading;
// 0 none, 1 x y z, 2 x in alpha (Doom 3's compressed ones), 3 x and y alone
uniform int bump_kind;
uniform int has_specular;
uniform int alpha_is_highlight;
// 0 all, 1 greater, 2 less, 3 greater or equal
uniform int alpha_test;
uniform float alpha_limit;
// Alpha is coverage; otherwise it is 1.
uniform int blends;
uniform vec4 highlight;

out vec4 pixel;

// Lights stand with the camera: a key from the upper left, a weak fill from the right, light from all around that is
// stronger from above, and a little from behind that draws the outline.
const vec3 KEY_DIRECTION = vec3(-0.462, 0.616, 0.638);
const vec3 KEY = vec3(0.80, 0.78, 0.74);
const vec3 FILL_DIRECTION = vec3(0.857, 0.051, 0.512);
const vec3 FILL = vec3(0.13, 0.14, 0.17);
const vec3 ABOVE = vec3(0.36, 0.37, 0.40);
const vec3 BELOW = vec3(0.20, 0.19, 0.18);
const vec3 RIM = vec3(0.13, 0.14, 0.16);

vec3 encoded(vec3 linear) {
  linear = clamp(linear, 0.0, 1.0);
  return mix(linear * 12.92, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}

vec3 decoded(vec3 srgb) {
  return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
}

vec3 surface_normal() {
  vec3 normal = view_normal;
  if (dot(normal, normal) < 1e-12) {
    // No normal: the triangle's own.
    normal = cross(dFdx(view_position), dFdy(view_position));
    return normalize(dot(normal, view_position) > 0.0 ? -normal : normal);
  }
  normal = normalize(gl_FrontFacing ? normal : -normal);
  if (bump_kind != 0 && dot(view_tangent.xyz, view_tangent.xyz) > 0.0) {
    vec3 tangent = normalize(view_tangent.xyz - normal * dot(view_tangent.xyz, normal));
    vec3 bitangent = cross(normal, tangent) * view_tangent.w;
    vec4 stored = texture(bump, uv);
    vec3 texel = (bump_kind == 2 ? stored.wyz : stored.xyz) * 2.0 - 1.0;
    if (bump_kind == 3) texel.z = sqrt(max(1.0 - dot(texel.xy, texel.xy), 0.0));
    normal = normalize(tangent * texel.x + bitangent * texel.y + normal * texel.z);
  }
  return normal;
}

// Doom 3's table for the highlight: (4 cos - 3)^2, cut at 0.
float shine(vec3 normal, vec3 to_light, vec3 to_eye) {
  float cosine = dot(normal, normalize(to_light + to_eye));
  float tail = max(4.0 * cosine - 3.0, 0.0);
  return tail * tail;
}

void main() {
  vec4 texel = texture(image, uv);
  vec4 result = vec4(texel.rgb * decoded(color.rgb), texel.a * color.a);
  vec3 to_eye = normalize(-view_position);

  if (alpha_is_highlight != 0) result.a = texel.a * shine(surface_normal(), KEY_DIRECTION, to_eye);
  if (alpha_test == 1 && !(result.a > alpha_limit)) discard;
  if (alpha_test == 2 && !(result.a < alpha_limit)) discard;
  if (alpha_test == 3 && !(result.a >= alpha_limit)) discard;

  if (shading == 0) {
    vec3 normal = surface_normal();
    vec3 light = mix(BELOW, ABOVE, normal.y * 0.5 + 0.5);
    // Past the edge of the shadow by a little: a soft terminator.
    light += KEY * max((dot(normal, KEY_DIRECTION) + 0.12) / 1.12, 0.0);
    light += FILL * max(dot(normal, FILL_DIRECTION), 0.0);
    float edge = 1.0 - max(dot(normal, to_eye), 0.0);
    light += RIM * (edge * edge * edge);
    result.rgb *= light;
    if (has_specular != 0) {
      vec3 shiny = texture(specular, uv).rgb * 2.0;
      result.rgb += shiny * (KEY * shine(normal, KEY_DIRECTION, to_eye) + FILL * shine(normal, FILL_DIRECTION, to_eye));
    }
  } else if (shading == 2) {
    result.rgb *= 0.8;
  }

  result.rgb = mix(encoded(result.rgb), highlight.rgb, highlight.a);
  pixel = vec4(result.rgb, blends != 0 ? clamp(result.a, 0.0, 1.0) : 1.0);
}
