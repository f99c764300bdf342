import type { MemorySlices } from "../../core/timeline/memorySlices.js";
import type { Answers } from "../../core/timeline/protocol.js";
import { formatBytes } from "../../core/timeline/quantities.js";
import { byteTicks } from "../../core/timeline/ticks.js";
import type { MemoryStripe } from "../geometry.js";
import { drawText, insidePlot, type Paint, xOf } from "./paint.js";

const NAMES = { device: "Device memory", pinned: "Pinned memory" } as const;
const TICK_ROOM_PX = 22;
/** Room above the highest value, so that a peak does not look cut off. */
const HEADROOM = 1.08;

/** Memory curves with axis, peak and, for the device, the bytes that parameters take. */
export function drawMemory(paint: Paint, view: Answers["view"] | null, staticBytes: number): void {
  for (const stripe of paint.geometry.memory) {
    const { peakBytes } = paint.overview.memory[stripe.curve] ?? { peakBytes: 0 };
    drawLabels(paint, stripe, peakBytes);
    drawAxis(paint, stripe, peakBytes);
    const slices = view?.memory[stripe.curve];
    if (slices !== undefined) insidePlot(paint, stripe, () => drawCurve(paint, stripe, slices, peakBytes));
    if (stripe.of === "device" && staticBytes > 0) drawStatic(paint, stripe, staticBytes, peakBytes);
  }
}

/** Vertical position of a value in its curve. */
export function memoryY(stripe: MemoryStripe, bytes: number, peakBytes: number): number {
  const top = Math.max(1, peakBytes) * HEADROOM;
  return stripe.y + stripe.height - (bytes / top) * stripe.height;
}

function colourOf(paint: Paint, stripe: MemoryStripe): string {
  return stripe.of === "device" ? paint.theme.deviceMemory : paint.theme.pinnedMemory;
}

function drawLabels(paint: Paint, stripe: MemoryStripe, peakBytes: number): void {
  const { context, theme, geometry } = paint;
  context.textBaseline = "middle";
  context.font = theme.boldFont;
  context.fillStyle = theme.foreground;
  drawText(context, NAMES[stripe.of], 12, stripe.y + 7, geometry.plotX - 20);
  context.font = theme.smallFont;
  context.fillStyle = theme.muted;
  drawText(context, `peak ${formatBytes(peakBytes)}`, 12, stripe.y + 20, geometry.plotX - 20);
}

function drawAxis(paint: Paint, stripe: MemoryStripe, peakBytes: number): void {
  const { context, theme, geometry } = paint;
  context.fillStyle = theme.faint;
  context.fillRect(geometry.plotX, stripe.y, geometry.plotWidth, stripe.height);
  const ticks = byteTicks(peakBytes, Math.max(1, Math.floor(stripe.height / TICK_ROOM_PX)));
  context.font = theme.smallFont;
  context.textAlign = "right";
  context.lineWidth = 1;
  for (const bytes of ticks.values) {
    const y = Math.round(memoryY(stripe, bytes, peakBytes)) - 0.5;
    context.strokeStyle = theme.line;
    context.globalAlpha = bytes === 0 ? 1 : 0.6;
    context.beginPath();
    context.moveTo(geometry.plotX - 3, y);
    context.lineTo(geometry.plotX + geometry.plotWidth, y);
    context.stroke();
    context.globalAlpha = 1;
    context.fillStyle = theme.muted;
    // The two label lines at the top left keep their place.
    if (y > stripe.y + 28) context.fillText(bytes === 0 ? "0" : formatBytes(bytes), geometry.plotX - 6, y);
  }
  context.textAlign = "left";
}

function drawCurve(paint: Paint, stripe: MemoryStripe, slices: MemorySlices, peakBytes: number): void {
  const { context } = paint;
  const colour = colourOf(paint, stripe);
  const right = paint.geometry.plotX + paint.geometry.plotWidth;
  const bottom = stripe.y + stripe.height;
  const y = (bytes: number) => memoryY(stripe, bytes, peakBytes);
  const outline = new Path2D();
  const area = new Path2D();
  for (let at = 0; at < slices.timeNs.length; at++) {
    const x = xOf(paint, slices.timeNs[at] ?? 0);
    const nextX = at + 1 < slices.timeNs.length ? xOf(paint, slices.timeNs[at + 1] ?? 0) : right;
    const last = y(slices.lastBytes[at] ?? 0);
    // A merged stretch is a vertical bar from its lowest to its highest value, then its last value holds.
    if (at === 0) outline.moveTo(x, last);
    outline.lineTo(x, y(slices.highBytes[at] ?? 0));
    outline.lineTo(x, y(slices.lowBytes[at] ?? 0));
    outline.lineTo(x, last);
    outline.lineTo(nextX, last);
    area.rect(x, last, Math.max(0, nextX - x), bottom - last);
  }
  context.fillStyle = colour;
  context.globalAlpha = 0.2;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  if (stripe.of === "pinned") context.setLineDash([5, 2]);
  context.stroke(outline);
  context.setLineDash([]);
}

function drawStatic(paint: Paint, stripe: MemoryStripe, staticBytes: number, peakBytes: number): void {
  const { context, theme, geometry } = paint;
  const y = Math.round(memoryY(stripe, staticBytes, peakBytes)) + 0.5;
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
  const width = context.measureText(text).width;
  const right = geometry.plotX + geometry.plotWidth - 6;
  const middle = y + 8 < stripe.y + stripe.height - 6 ? y + 8 : y - 8;
  context.fillStyle = theme.background;
  context.globalAlpha = 0.7;
  context.fillRect(right - width - 3, middle - 6, width + 6, 12);
  context.globalAlpha = 1;
  context.fillStyle = theme.foreground;
  context.fillText(text, right - width, middle);
}
