import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import type { EventLook } from "../theme.js";
import { LEAST_EDGE_PX, LEAST_PATTERN_PX } from "./boxPainter.js";
import { BoxLook, LOOK_COUNT } from "./preparedView.js";

/** Numbers that the fragment shader knows patterns by. */
export const PATTERN_NUMBERS: Readonly<Record<EventLook["pattern"], number>> = {
  plain: 0,
  rising: 1,
  falling: 2,
  crossed: 3,
  dotted: 4,
  flat: 5,
  upright: 6,
};

/** One instance is one box; its four corners come from the vertex number. Lengths are screen pixels, y downwards. */
export const VERTEX_SHADER = `#version 300 es
precision highp float;
in vec2 bounds;
in uvec4 style;
uniform vec2 viewport;
uniform vec2 timeToX;
uniform vec2 stripe;
uniform float smallest;
flat out uvec4 look;
flat out vec2 size;
out vec2 inside;
void main() {
  // Whole pixels: half-covered edges would blur thousands of boxes into grey. The bounds keep numbers small and exact.
  float left = clamp(floor(bounds.x * timeToX.x + timeToX.y + 0.5), -4096.0, viewport.x + 4096.0);
  float right = clamp(floor(bounds.y * timeToX.x + timeToX.y + 0.5), -4096.0, viewport.x + 4096.0);
  size = vec2(max(smallest, right - left), stripe.y);
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  inside = corner * size;
  look = style;
  vec2 at = vec2(left, stripe.x) + inside;
  gl_Position = vec4(at.x / viewport.x * 2.0 - 1.0, 1.0 - at.y / viewport.y * 2.0, 0.0, 1.0);
}`;

/** Fills with the look's colour and pattern; wide boxes get an edge. Output is premultiplied. */
export const FRAGMENT_SHADER = `#version 300 es
precision highp float;
flat in uvec4 look;
flat in vec2 size;
in vec2 inside;
uniform vec4 colours[${LOOK_COUNT}];
uniform int patterns[${LOOK_COUNT}];
uniform vec4 background;
uniform float patternStrength;
uniform float scale;
out vec4 result;

float marked(int pattern, vec2 at) {
  float rising = mod(at.x + at.y, 8.0) < 2.0 ? 1.0 : 0.0;
  float falling = mod(at.x - at.y, 8.0) < 2.0 ? 1.0 : 0.0;
  if (pattern == 1) return rising;
  if (pattern == 2) return falling;
  if (pattern == 3) return max(rising, falling);
  if (pattern == 4) {
    vec2 cell = mod(at, 8.0);
    vec2 first = abs(cell - 2.0);
    vec2 second = abs(cell - 6.0);
    return max(first.x, first.y) < 1.0 || max(second.x, second.y) < 1.0 ? 1.0 : 0.0;
  }
  if (pattern == 5) return abs(mod(at.y, 4.0) - 2.0) < 0.7 ? 1.0 : 0.0;
  if (pattern == 6) return abs(mod(at.x, 4.0) - 2.0) < 0.7 ? 1.0 : 0.0;
  return 0.0;
}

void main() {
  int value = int(min(look.x, uint(${LOOK_COUNT - 1})));
  vec4 colour = colours[value];
  float strength = float(look.y) / 255.0;
  bool isWide = size.x >= ${LEAST_PATTERN_PX}.0 * scale;
  bool hasEdge = isWide && value < ${BoxLook.quietWait};
  vec2 toEdge = min(inside, size - inside);
  float near = size.x >= ${LEAST_EDGE_PX}.0 * scale ? min(toEdge.x, toEdge.y) : inside.x;
  if (hasEdge && near < scale) {
    bool isWait = value == ${EventKind.streamWait} || value == ${EventKind.hostWait};
    colour = isWait ? colour : background;
    strength = 1.0;
  } else if (isWide) {
    float mark = marked(patterns[value], inside / scale);
    colour.rgb = mix(colour.rgb, background.rgb, mark * patternStrength);
  }
  float alpha = colour.a * strength;
  result = vec4(colour.rgb * alpha, alpha);
}`;
