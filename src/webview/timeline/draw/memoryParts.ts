import { PART_TITLES } from "../../../core/base/memoryParts.js";
import { firstAtLeast } from "../../../core/timeline/columns/eventRows.js";
import type { MemorySlices } from "../../../core/timeline/query/memorySlices.js";
import type { PartSlices, PartTotals } from "../../../core/timeline/query/partSlices.js";
import type { MemoryStripe } from "../geometry.js";
import type { MarkTint } from "../theme.js";
import { drawText, type Paint, textWidth, xOf } from "./paint.js";

const LEGEND_ROW_PX = 12;
const SWATCH_PX = 7;
/** Below the curve's name and its peak. */
const LEGEND_TOP_PX = 32;
/** Ends before the values of the axis. */
const LEGEND_WIDTH_PX = 100;
/** A part that never holds more than this share of the largest cannot be seen. */
const LEAST_SHARE = 0.005;

/** Where a value of the curve lies, CSS pixels. */
export type HeightOf = (bytes: number) => number;

/**
 * A curve as its parts, one on the other. Where several changes share a pixel it shows the moment at which they were highest
 * together: the stack never looks lower than the curve's peak.
 */
export function drawStack(
  paint: Paint,
  stripe: MemoryStripe,
  slices: MemorySlices,
  parts: readonly PartSlices[],
  shiftNs: number,
  y: HeightOf,
): void {
  const { context, theme, range, geometry } = paint;
  const right = geometry.plotX + geometry.plotWidth;
  const first = Math.max(0, firstAtLeast(slices.timeNs, range.fromNs - shiftNs) - 1);
  const after = Math.min(slices.timeNs.length, firstAtLeast(slices.timeNs, range.toNs - shiftNs) + 1);
  if (after <= first) return;
  const xAt = (at: number) => (at < slices.timeNs.length ? xOf(paint, (slices.timeNs[at] ?? 0) + shiftNs) : right);
  // From the whole stack down to its lowest part: each area covers those above it from the bottom on.
  const high = sumsOf(parts, "highBytes");
  const last = sumsOf(parts, "lastBytes");
  for (let each = parts.length - 1; each >= 0; each--) {
    const what = parts[each]?.what;
    const highs = high[each];
    const lasts = last[each];
    if (what === undefined || highs === undefined || lasts === undefined) continue;
    const area = new Path2D();
    const bottom = stripe.y + stripe.height;
    area.moveTo(xAt(first), bottom);
    for (let at = first; at < after; at++) {
      const x = xAt(at);
      const nextX = Math.max(x, xAt(at + 1));
      const highX = Math.min(nextX, x + 1);
      const highY = y(highs[at] ?? 0);
      area.lineTo(x, highY);
      area.lineTo(highX, highY);
      if (highX >= nextX) continue;
      const lastY = y(lasts[at] ?? 0);
      area.lineTo(highX, lastY);
      area.lineTo(nextX, lastY);
    }
    area.lineTo(xAt(after), bottom);
    paintTint(context, theme.background, theme.parts[what], () => context.fill(area));
  }
}

/** `result[k][i]`: bytes of parts 0 to k in slice i. */
function sumsOf(parts: readonly PartSlices[], of: "highBytes" | "lastBytes"): readonly Float64Array[] {
  let below: Float64Array | undefined;
  return parts.map((part) => {
    const sum = Float64Array.from(part[of], (bytes, at) => bytes + (below?.[at] ?? 0));
    below = sum;
    return sum;
  });
}

/** Swatches with the parts beside the axis, in the order of the stack; those that are ever largest where there is no room for all. */
export function drawLegend(paint: Paint, stripe: MemoryStripe, parts: readonly PartTotals[]): void {
  const { context, theme } = paint;
  const rows = Math.max(0, Math.floor((stripe.height - LEGEND_TOP_PX) / LEGEND_ROW_PX));
  const largest = [...parts].sort((one, other) => other.mostBytes - one.mostBytes);
  const leastBytes = (largest[0]?.mostBytes ?? 0) * LEAST_SHARE;
  const worth = new Set(largest.slice(0, rows).filter(({ mostBytes }) => mostBytes > leastBytes));
  const shown = parts.filter((part) => worth.has(part)).reverse();
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  shown.forEach(({ what }, row) => {
    const middle = stripe.y + LEGEND_TOP_PX + row * LEGEND_ROW_PX;
    const top = Math.round(middle - SWATCH_PX / 2);
    paintTint(context, theme.background, theme.parts[what], () => context.fillRect(12, top, SWATCH_PX, SWATCH_PX));
    context.fillStyle = theme.foreground;
    drawText(context, PART_TITLES[what], 12 + SWATCH_PX + 4, middle, LEGEND_WIDTH_PX);
  });
}

/** A small triangle over the peak, and what the peak is, on the side where there is room. */
export function drawPeak(paint: Paint, stripe: MemoryStripe, x: number, y: number, text: string): void {
  const { context, theme, geometry } = paint;
  const right = geometry.plotX + geometry.plotWidth;
  if (x < geometry.plotX || x > right) return;
  const top = Math.max(y - 2, stripe.y + 6);
  context.fillStyle = theme.foreground;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x - 4, top - 6);
  context.lineTo(x + 4, top - 6);
  context.fill();
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  const isRight = right - x >= x - geometry.plotX;
  const room = (isRight ? right - x : x - geometry.plotX) - 14;
  const width = Math.min(room, textWidth(context, text));
  const left = isRight ? x + 8 : x - 8 - width;
  const middle = Math.max(stripe.y + 8, top - 3);
  context.fillStyle = theme.background;
  context.globalAlpha = 0.8;
  context.fillRect(left - 3, middle - 7, width + 6, 14);
  context.globalAlpha = 1;
  context.fillStyle = theme.foreground;
  drawText(context, text, left, middle, width);
}

/** Paints with a colour of less than full strength that hides what lies below. */
function paintTint(
  context: CanvasRenderingContext2D,
  background: string,
  { colour, strength }: MarkTint,
  paint: () => void,
): void {
  context.fillStyle = background;
  paint();
  context.globalAlpha = strength;
  context.fillStyle = colour;
  paint();
  context.globalAlpha = 1;
}
