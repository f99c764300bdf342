import { formatBytes, formatNs } from "../../../core/base/quantities.js";
import { bytesAt } from "../../../core/timeline/query/memorySlices.js";
import type { EventDetails, EventLink } from "../../../core/timeline/query/protocol.js";
import { formatTick } from "../../../core/timeline/query/ticks.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import type { LaneStripe, Stripe } from "../geometry.js";
import { rulerTicks, type Span } from "./bands.js";
import { memoryScale, memoryY } from "./memory.js";
import { below, insidePlot, isOnScreen, type Paint, textWidth, xOf } from "./paint.js";

/** Where an arrow's ends are, on the clock of the canvas. */
export type Bounds = Pick<EventLink, "row" | "startNs" | "endNs">;

/** Frame of the selected event, frames of what it waited for and what it is linked to, and arrows between them. */
export function drawSelection(paint: Paint, run: number, selected: EventDetails | null): void {
  if (selected === null) return;
  const { context, theme } = paint;
  const own: Bounds = { row: selected.row, startNs: selected.startNs, endNs: selected.startNs + selected.durationNs };
  insideLanes(paint, () => {
    context.setLineDash([2, 2]);
    for (const flow of selected.flows)
      if (flow.direction === "to") drawArrow(paint, run, own, flow, theme.foreground);
      else drawArrow(paint, run, flow, own, theme.foreground);
    context.setLineDash([]);
    const cause = selected.waitedFor;
    if (cause !== null) {
      drawFrame(paint, run, cause, theme.foreground, [4, 3]);
      drawArrow(paint, run, cause, own, theme.focus);
    }
    drawFrame(paint, run, own, theme.isHighContrast ? theme.focus : theme.foreground, []);
  });
}

/** A violated order: both events framed, and a thick red arrow from the one that had to be first. */
export function drawViolation(paint: Paint, run: number, from: Bounds, to: Bounds): void {
  insideLanes(paint, () => {
    drawFrame(paint, run, from, paint.theme.exposed, []);
    drawFrame(paint, run, to, paint.theme.exposed, []);
    // To where the second one began, though that was too early: that is the fault.
    drawArrow(paint, run, from, { ...to, endNs: to.startNs }, paint.theme.exposed, 3);
  });
}

/** The selected stretch of time; outside of it everything is paler. */
export function drawArea(paint: Paint, area: VisibleRange): void {
  const { context, theme, geometry } = paint;
  const left = xOf(paint, area.fromNs);
  const right = xOf(paint, area.toNs);
  insidePlot(paint, { y: 0, height: paint.height }, () => {
    context.fillStyle = theme.background;
    context.globalAlpha = 0.45;
    context.fillRect(geometry.plotX, geometry.ruler.height, left - geometry.plotX, paint.height);
    context.fillRect(right, geometry.ruler.height, geometry.plotX + geometry.plotWidth - right, paint.height);
    context.globalAlpha = 1;
    context.strokeStyle = theme.focus;
    context.lineWidth = 1;
    context.setLineDash([6, 3]);
    for (const x of [left, right]) line(context, Math.round(x) + 0.5, 0, Math.round(x) + 0.5, paint.height);
    context.setLineDash([]);
    context.lineWidth = 2;
    line(context, left, geometry.ruler.height - 1, right, geometry.ruler.height - 1);
    context.font = theme.smallFont;
    context.textBaseline = "middle";
    plate(paint, areaText(area), areaMiddle(paint, area), geometry.ruler.height / 2, "centre");
  });
}

/** Times that the user marked: a line through everything and a flag with the mark's number on the ruler. */
export function drawMarks(paint: Paint, marks: readonly number[]): void {
  const { context, theme, geometry } = paint;
  insidePlot(paint, { y: 0, height: paint.height }, () => {
    context.strokeStyle = context.fillStyle = theme.foreground;
    context.lineWidth = 1;
    context.font = theme.smallFont;
    context.textBaseline = "middle";
    marks.forEach((ns, at) => {
      const x = Math.round(xOf(paint, ns)) + 0.5;
      context.globalAlpha = 0.8;
      context.setLineDash([1, 2]);
      line(context, x, 0, x, paint.height);
      context.setLineDash([]);
      context.globalAlpha = 1;
      context.fillStyle = theme.foreground;
      context.fillRect(x, 0, FLAG_PX, 11);
      context.fillStyle = theme.background;
      context.fillText(String(at + 1), x + 3, geometry.ruler.y + 6);
    });
  });
}

const FLAG_PX = 12;

/** What stands on the ruler over its labels: the pointer's time, the length of the selection, and the marks' flags. */
export function plateSpans(
  paint: Paint,
  timeNs: number | null,
  area: VisibleRange | null,
  marks: readonly number[],
): Span[] {
  paint.context.font = paint.theme.smallFont;
  const span = (text: string, middle: number): Span => {
    const width = textWidth(paint.context, text) + 8;
    const left = plateLeft(paint, middle, width, "centre");
    return { left, right: left + width };
  };
  return [
    ...(timeNs === null ? [] : [span(hoverText(paint, timeNs), xOf(paint, timeNs))]),
    ...(area === null ? [] : [span(areaText(area), areaMiddle(paint, area))]),
    ...marks.map((ns) => ({ left: xOf(paint, ns), right: xOf(paint, ns) + FLAG_PX - 4 })),
  ];
}

function areaText(area: VisibleRange): string {
  return formatNs(area.toNs - area.fromNs);
}

/** Middle of what is visible of a selected stretch. */
function areaMiddle(paint: Paint, area: VisibleRange): number {
  const { plotX, plotWidth } = paint.geometry;
  return (Math.max(xOf(paint, area.fromNs), plotX) + Math.min(xOf(paint, area.toNs), plotX + plotWidth)) / 2;
}

/** Line under the pointer, with its time on the ruler and the values of the memory curves. */
export function drawCrosshair(paint: Paint, timeNs: number): void {
  const { context, theme, geometry } = paint;
  const x = Math.round(xOf(paint, timeNs)) + 0.5;
  context.strokeStyle = theme.foreground;
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  line(context, x, geometry.ruler.height, x, paint.height);
  context.globalAlpha = 1;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  plate(paint, hoverText(paint, timeNs), x, geometry.ruler.height / 2, "centre");
  below(paint, geometry.fixedHeight, () => {
    for (const stripe of geometry.memory) {
      const run = paint.runs.get(stripe.run);
      const slices = run?.prepared?.view.memory[stripe.curve];
      if (run === undefined || slices === undefined || slices.timeNs.length === 0 || !isOnScreen(paint, stripe))
        continue;
      const curve = { of: stripe.of, timeNs: slices.timeNs, bytes: slices.lastBytes };
      const bytes = bytesAt(curve, timeNs - run.shiftNs);
      const y = memoryY(stripe, memoryScale(paint, stripe), bytes);
      context.fillStyle = theme.foreground;
      context.beginPath();
      context.arc(x, y, 2.5, 0, Math.PI * 2);
      context.fill();
      plate(
        paint,
        formatBytes(bytes),
        x + 7,
        Math.min(Math.max(y, stripe.y + 7), stripe.y + stripe.height - 7),
        "right",
      );
    }
  });
}

/** Stripe of a row of a run's `TimelineOverview.rows`, and its lane. */
export function stripeOf(
  { geometry }: Pick<Paint, "geometry">,
  run: number,
  row: number,
): { readonly lane: LaneStripe; readonly stripe: Stripe } | undefined {
  for (const lane of geometry.lanes) {
    if (lane.run !== run) continue;
    const stripe = lane.rows.find((candidate) => candidate.row === row);
    if (stripe !== undefined) return { lane, stripe };
  }
  return undefined;
}

function hoverText(paint: Paint, timeNs: number): string {
  const span = paint.range.toNs - paint.range.fromNs;
  return formatTick(timeNs, span / 2000, rulerTicks(paint).step);
}

function insideLanes(paint: Paint, draw: () => void): void {
  const { geometry } = paint;
  const top = geometry.layers.y + geometry.layers.height;
  insidePlot(paint, { y: top, height: paint.height - top }, draw);
}

function plateLeft({ geometry }: Paint, x: number, width: number, side: "centre" | "right"): number {
  const right = geometry.plotX + geometry.plotWidth;
  const wanted = side === "centre" ? x - width / 2 : x + width > right ? x - width - 14 : x;
  return Math.min(Math.max(wanted, geometry.plotX), right - width);
}

function plate(paint: Paint, text: string, x: number, middle: number, side: "centre" | "right"): void {
  const { context, theme } = paint;
  const width = textWidth(context, text) + 8;
  const left = plateLeft(paint, x, width, side);
  context.fillStyle = theme.background;
  context.fillRect(left, middle - 7, width, 14);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, middle - 6.5, width - 1, 13);
  context.fillStyle = theme.foreground;
  context.fillText(text, left + 4, middle + 0.5);
}

function drawFrame(paint: Paint, run: number, of: Bounds, colour: string, dash: readonly number[]): void {
  const found = stripeOf(paint, run, of.row);
  if (found === undefined || !isOnScreen(paint, found.lane, found.lane.isFixed)) return;
  const { context, theme, geometry } = paint;
  const x = Math.max(geometry.plotX - 8, xOf(paint, of.startNs));
  const width = Math.max(3, Math.min(geometry.width + 8, xOf(paint, of.endNs)) - x);
  const { y, height } = found.stripe;
  // Two lines, so that the frame shows on any fill.
  context.setLineDash([]);
  context.strokeStyle = theme.background;
  context.lineWidth = 4;
  context.strokeRect(x, y + 1, width, height - 2);
  context.setLineDash([...dash]);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.strokeRect(x, y + 1, width, height - 2);
  context.setLineDash([]);
}

/** From the end of one event to the beginning of another, or to its end where it began before the first was over. */
function drawArrow(paint: Paint, run: number, from: Bounds, to: Bounds, colour: string, width = 2): void {
  const tail = stripeOf(paint, run, from.row)?.stripe;
  const head = stripeOf(paint, run, to.row)?.stripe;
  if (tail === undefined || head === undefined) return;
  const fromX = xOf(paint, from.endNs);
  const toX = xOf(paint, to.startNs >= from.endNs ? to.startNs : Math.max(to.startNs, to.endNs));
  const fromY = tail.y + tail.height / 2;
  const toY = head.y + head.height / 2;
  const { context } = paint;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(fromX, fromY);
  const bend = Math.min(60, Math.max(3, Math.abs(toX - fromX) / 2));
  context.bezierCurveTo(fromX + bend, fromY, toX - bend, toY, toX, toY);
  context.stroke();
  context.beginPath();
  context.moveTo(toX, toY);
  context.lineTo(toX - 5 - width, toY - 2 - width);
  context.lineTo(toX - 5 - width, toY + 2 + width);
  context.fill();
}

function line(context: CanvasRenderingContext2D, fromX: number, fromY: number, toX: number, toY: number): void {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}
