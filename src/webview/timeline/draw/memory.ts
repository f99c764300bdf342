import { formatBytes } from "../../../core/base/quantities.js";
import type { MemoryOf } from "../../../core/timeline/columns/columns.js";
import { firstAtLeast } from "../../../core/timeline/columns/eventRows.js";
import type { MemorySlices } from "../../../core/timeline/query/memorySlices.js";
import { byteTicks } from "../../../core/timeline/query/ticks.js";
import type { MemoryStripe } from "../geometry.js";
import { MEMORY_NAMES } from "../state/memoryNames.js";
import { drawLegend, drawPeak, drawStack } from "./memoryParts.js";
import { below, drawText, insidePlot, isOnScreen, type Paint, textWidth, xOf } from "./paint.js";

const DASHES: Record<MemoryOf, number[]> = { device: [], pinned: [5, 2], host: [2, 2] };
const TICK_ROOM_PX = 22;
const MOST_DASHED_POINTS = 200;
/** Room above the highest value, so that a peak does not look cut off, in parts of what is shown. */
const HEADROOM = 0.1;
/** Where parameters take more than this share, the axis begins just below them: what moves must be seen. */
const DOMINANT_SHARE = 0.5;

/** The values at the bottom and the top of a curve's stripe. */
export interface MemoryScale {
  readonly lowBytes: number;
  readonly highBytes: number;
}

/** Scale of a curve; the same over the whole step, so that zooming does not change heights. */
export function memoryScale(paint: Paint, stripe: MemoryStripe): MemoryScale {
  const run = paint.runs.get(stripe.run);
  const peakBytes = Math.max(1, run?.overview.memory[stripe.curve]?.peakBytes ?? 0);
  const floorBytes = stripe.of === "device" ? (run?.staticBytes ?? 0) : 0;
  const isDominant = floorBytes > peakBytes * DOMINANT_SHARE && floorBytes < peakBytes;
  const shown = isDominant ? (peakBytes - floorBytes) * 1.35 : peakBytes;
  return { lowBytes: isDominant ? Math.max(0, peakBytes - shown) : 0, highBytes: peakBytes + shown * HEADROOM };
}

/** Memory curves with axis, peak and, for the device, the bytes that parameters take. */
export function drawMemory(paint: Paint): void {
  below(paint, paint.geometry.fixedHeight, () => {
    for (const stripe of paint.geometry.memory) if (isOnScreen(paint, stripe)) drawStripe(paint, stripe);
  });
}

function drawStripe(paint: Paint, stripe: MemoryStripe): void {
  const run = paint.runs.get(stripe.run);
  if (run === undefined) return;
  const overview = run.overview.memory[stripe.curve];
  drawLabels(paint, stripe, overview?.peakBytes ?? 0);
  const scale = memoryScale(paint, stripe);
  drawAxis(paint, stripe, scale);
  const slices = run.prepared?.view.memory[stripe.curve];
  const y = (bytes: number) => memoryY(stripe, scale, bytes);
  if (slices?.parts === undefined) {
    if (slices !== undefined) insidePlot(paint, stripe, () => drawCurve(paint, stripe, slices, run.shiftNs, scale));
    if (stripe.of === "device" && run.staticBytes > 0) drawStatic(paint, stripe, run.staticBytes, scale);
    return;
  }
  const { parts } = slices;
  insidePlot(paint, stripe, () => drawStack(paint, stripe, slices, parts, run.shiftNs, y));
  if (overview === undefined) return;
  drawLegend(paint, stripe, overview.parts);
  const text = [`peak ${formatBytes(overview.peakBytes)}`, run.peakNote].filter((part) => part !== undefined);
  drawPeak(paint, stripe, xOf(paint, overview.peakAtNs + run.shiftNs), y(overview.peakBytes), text.join(" in "));
}

/** Vertical position of a value in its curve; what lies below the scale lies on its lower edge. */
export function memoryY(stripe: MemoryStripe, scale: MemoryScale, bytes: number): number {
  const share = Math.max(0, bytes - scale.lowBytes) / (scale.highBytes - scale.lowBytes);
  return stripe.y + stripe.height * (1 - share);
}

function colourOf(paint: Paint, stripe: MemoryStripe): string {
  return paint.theme.memory[stripe.of];
}

function drawLabels(paint: Paint, stripe: MemoryStripe, peakBytes: number): void {
  const { context, theme, geometry } = paint;
  context.textBaseline = "middle";
  context.font = theme.boldFont;
  context.fillStyle = theme.foreground;
  drawText(context, MEMORY_NAMES[stripe.of], 12, stripe.y + 7, geometry.plotX - 20);
  context.font = theme.smallFont;
  context.fillStyle = theme.muted;
  drawText(context, `peak ${formatBytes(peakBytes)}`, 12, stripe.y + 20, geometry.plotX - 20);
}

function drawAxis(paint: Paint, stripe: MemoryStripe, scale: MemoryScale): void {
  const { context, theme, geometry } = paint;
  context.fillStyle = theme.faint;
  context.fillRect(geometry.plotX, stripe.y, geometry.plotWidth, stripe.height);
  const ticks = byteTicks(scale.lowBytes, scale.highBytes, Math.max(1, Math.floor(stripe.height / TICK_ROOM_PX)));
  context.font = theme.smallFont;
  context.textAlign = "right";
  context.lineWidth = 1;
  for (const bytes of ticks.values) {
    const y = Math.round(memoryY(stripe, scale, bytes)) - 0.5;
    context.strokeStyle = theme.line;
    context.globalAlpha = bytes === 0 ? 1 : theme.isHighContrast ? 0.35 : 0.6;
    context.beginPath();
    context.moveTo(geometry.plotX - 3, y);
    context.lineTo(geometry.plotX + geometry.plotWidth, y);
    context.stroke();
    context.globalAlpha = 1;
    context.fillStyle = theme.muted;
    context.fillText(bytes === 0 ? "0" : formatBytes(bytes), geometry.plotX - 6, Math.max(y, stripe.y + 5));
  }
  context.textAlign = "left";
  if (scale.lowBytes > 0) drawBreak(paint, stripe);
}

/** A jagged lower edge: this axis does not begin at 0. */
function drawBreak(paint: Paint, stripe: MemoryStripe): void {
  const { context, theme, geometry } = paint;
  const bottom = stripe.y + stripe.height;
  context.strokeStyle = theme.muted;
  context.beginPath();
  context.moveTo(geometry.plotX, bottom - 1);
  for (let x = geometry.plotX, isUp = true; x < geometry.plotX + geometry.plotWidth; x += 4, isUp = !isUp)
    context.lineTo(x, bottom - (isUp ? 3 : 0));
  context.stroke();
}

function drawCurve(
  paint: Paint,
  stripe: MemoryStripe,
  slices: MemorySlices,
  shiftNs: number,
  scale: MemoryScale,
): void {
  const { context, range } = paint;
  const colour = colourOf(paint, stripe);
  const right = paint.geometry.plotX + paint.geometry.plotWidth;
  const bottom = stripe.y + stripe.height;
  const y = (bytes: number) => memoryY(stripe, scale, bytes);
  const outline = new Path2D();
  const area = new Path2D();
  // The change before the left edge gives the value there.
  const first = Math.max(0, firstAtLeast(slices.timeNs, range.fromNs - shiftNs) - 1);
  const after = Math.min(slices.timeNs.length, firstAtLeast(slices.timeNs, range.toNs - shiftNs) + 1);
  for (let at = first; at < after; at++) {
    const x = xOf(paint, (slices.timeNs[at] ?? 0) + shiftNs);
    const nextX = at + 1 < slices.timeNs.length ? xOf(paint, (slices.timeNs[at + 1] ?? 0) + shiftNs) : right;
    const last = y(slices.lastBytes[at] ?? 0);
    // A merged stretch is a vertical bar from its lowest to its highest value, then its last value holds.
    if (at === first) {
      outline.moveTo(x, last);
      area.moveTo(x, bottom);
    }
    outline.lineTo(x, y(slices.highBytes[at] ?? 0));
    outline.lineTo(x, y(slices.lowBytes[at] ?? 0));
    outline.lineTo(x, last);
    outline.lineTo(nextX, last);
    area.lineTo(x, last);
    area.lineTo(nextX, last);
  }
  area.lineTo(right, bottom);
  context.fillStyle = colour;
  context.globalAlpha = 0.2;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  // Dashes tell the curves apart; on a dense outline nobody could see them, and they are slow.
  if (after - first < MOST_DASHED_POINTS) context.setLineDash(DASHES[stripe.of]);
  context.stroke(outline);
  context.setLineDash([]);
}

function drawStatic(paint: Paint, stripe: MemoryStripe, staticBytes: number, scale: MemoryScale): void {
  const { context, theme, geometry } = paint;
  const y = Math.round(memoryY(stripe, scale, staticBytes)) + 0.5;
  if (y < stripe.y) return;
  context.strokeStyle = theme.foreground;
  context.globalAlpha = 0.6;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(geometry.plotX, y);
  context.lineTo(geometry.plotX + geometry.plotWidth, y);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  const text = `parameters ${formatBytes(staticBytes)}`;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  const width = textWidth(context, text);
  const right = geometry.plotX + geometry.plotWidth - 6;
  const middle = y + 8 < stripe.y + stripe.height - 6 ? y + 8 : y - 8;
  context.fillStyle = theme.background;
  context.globalAlpha = 0.7;
  context.fillRect(right - width - 3, middle - 6, width + 6, 12);
  context.globalAlpha = 1;
  context.fillStyle = theme.foreground;
  context.fillText(text, right - width, middle);
}
