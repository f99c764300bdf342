import { bytesAt } from "../../core/timeline/memorySlices.js";
import type { Answers, EventDetails } from "../../core/timeline/protocol.js";
import { formatBytes } from "../../core/timeline/quantities.js";
import { formatTick } from "../../core/timeline/ticks.js";
import type { Stripe } from "../geometry.js";
import { rulerTicks } from "./bands.js";
import { memoryScale, memoryY } from "./memory.js";
import { insidePlot, type Paint, xOf } from "./paint.js";

/** Frame of the selected event, frame of what it waited for, and an arrow from there. */
export function drawSelection(paint: Paint, selected: EventDetails | null): void {
  if (selected === null) return;
  const { context, geometry } = paint;
  const own = stripeOf(paint, selected.row);
  if (own === undefined) return;
  insidePlot(paint, { y: 0, height: geometry.height }, () => {
    const cause = selected.waitedFor;
    const causeStripe = cause === null ? undefined : stripeOf(paint, cause.row);
    if (cause !== null && causeStripe !== undefined) {
      context.setLineDash([4, 3]);
      frame(paint, cause.startNs, cause.endNs, causeStripe);
      context.setLineDash([]);
      // A wait begins before its cause is done: the arrow then points to its end.
      const headNs = selected.startNs >= cause.endNs ? selected.startNs : selected.startNs + selected.durationNs;
      arrow(paint, xOf(paint, cause.endNs), middleOf(causeStripe), xOf(paint, headNs), middleOf(own));
    }
    frame(paint, selected.startNs, selected.startNs + selected.durationNs, own);
  });
}

/** Line under the pointer, with its time on the ruler and the values of the memory curves. */
export function drawCrosshair(paint: Paint, timeNs: number, view: Answers["view"] | null): void {
  const { context, theme, geometry, range } = paint;
  const x = Math.round(xOf(paint, timeNs)) + 0.5;
  context.strokeStyle = theme.foreground;
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, geometry.ruler.height);
  context.lineTo(x, geometry.height);
  context.stroke();
  context.globalAlpha = 1;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  const span = range.toNs - range.fromNs;
  plate(paint, formatTick(timeNs, span / 2000, rulerTicks(paint).step), x, geometry.ruler.height / 2, "centre");
  if (view === null) return;
  for (const stripe of geometry.memory) {
    const slices = view.memory[stripe.curve];
    if (slices === undefined || slices.timeNs.length === 0) continue;
    const bytes = bytesAt({ of: stripe.of, timeNs: slices.timeNs, bytes: slices.lastBytes }, timeNs);
    const y = memoryY(stripe, memoryScale(paint, stripe), bytes);
    context.fillStyle = theme.foreground;
    context.beginPath();
    context.arc(x, y, 2.5, 0, Math.PI * 2);
    context.fill();
    plate(paint, formatBytes(bytes), x + 7, Math.min(Math.max(y, stripe.y + 7), stripe.y + stripe.height - 7), "right");
  }
}

/** Stripe of a row of `TimelineOverview.rows`. */
export function stripeOf(paint: Pick<Paint, "geometry">, row: number): Stripe | undefined {
  for (const lane of paint.geometry.lanes) {
    const found = lane.rows.find((candidate) => candidate.row === row);
    if (found !== undefined) return found;
  }
  return undefined;
}

function plate(paint: Paint, text: string, x: number, middle: number, side: "centre" | "right"): void {
  const { context, theme, geometry } = paint;
  const width = context.measureText(text).width + 8;
  const right = geometry.plotX + geometry.plotWidth;
  const wanted = side === "centre" ? x - width / 2 : x + width > right ? x - width - 14 : x;
  const left = Math.min(Math.max(wanted, geometry.plotX), right - width);
  context.fillStyle = theme.background;
  context.fillRect(left, middle - 7, width, 14);
  context.strokeStyle = theme.line;
  context.strokeRect(left + 0.5, middle - 6.5, width - 1, 13);
  context.fillStyle = theme.foreground;
  context.fillText(text, left + 4, middle + 0.5);
}

function frame(paint: Paint, startNs: number, endNs: number, stripe: Stripe): void {
  const x = xOf(paint, startNs);
  const width = Math.max(3, xOf(paint, endNs) - x);
  const { context, theme } = paint;
  // Two lines, so that the frame shows on any fill.
  context.strokeStyle = theme.background;
  context.lineWidth = 4;
  context.strokeRect(x, stripe.y + 1, width, stripe.height - 2);
  context.strokeStyle = theme.isHighContrast ? theme.focus : theme.foreground;
  context.lineWidth = 2;
  context.strokeRect(x, stripe.y + 1, width, stripe.height - 2);
}

function arrow(paint: Paint, fromX: number, fromY: number, toX: number, toY: number): void {
  const { context, theme } = paint;
  context.strokeStyle = theme.focus;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(fromX, fromY);
  const bend = Math.min(60, Math.max(3, Math.abs(toX - fromX) / 2));
  context.bezierCurveTo(fromX + bend, fromY, toX - bend, toY, toX, toY);
  context.stroke();
  context.fillStyle = theme.focus;
  context.beginPath();
  context.moveTo(toX, toY);
  context.lineTo(toX - 7, toY - 4);
  context.lineTo(toX - 7, toY + 4);
  context.fill();
}

function middleOf(stripe: Stripe): number {
  return stripe.y + stripe.height / 2;
}
