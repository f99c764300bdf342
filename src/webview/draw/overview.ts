import type { LaneRole } from "../../core/timeline/columns.js";
import { EventKind } from "../../core/timeline/columns.js";
import type { Answers, TimelineOverview } from "../../core/timeline/protocol.js";
import type { VisibleRange } from "../../core/timeline/visibleRange.js";
import type { EventLook, Theme } from "../theme.js";

/** The whole step in one strip: compute, copies, memory; what is not visible below is dimmed. */
export interface OverviewPaint {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly overview: TimelineOverview;
  readonly view: Answers["view"] | null;
  readonly range: VisibleRange;
  readonly plotX: number;
  readonly plotWidth: number;
  readonly height: number;
}

const ROLES: readonly { role: LaneRole; kind: number; y: number; height: number }[] = [
  { role: "compute", kind: EventKind.kernel, y: 3, height: 8 },
  { role: "d2h", kind: EventKind.copyD2H, y: 13, height: 5 },
  { role: "h2d", kind: EventKind.copyH2D, y: 20, height: 5 },
];
const MEMORY_Y = 27;

export function drawOverview(paint: OverviewPaint): void {
  const { context, theme, plotX, plotWidth, height } = paint;
  context.fillStyle = theme.faint;
  context.fillRect(plotX, 0, plotWidth, height);
  if (paint.view !== null) {
    for (const stripe of ROLES) drawRole(paint, paint.view, stripe, theme.look(stripe.kind));
    drawMemoryShape(paint, paint.view);
  }
  drawWindow(paint);
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  context.fillText("Whole step", 12, height / 2);
}

/** Position of a time in the strip. */
export function overviewX(paint: Pick<OverviewPaint, "overview" | "plotX" | "plotWidth">, ns: number): number {
  const { fromNs, toNs } = paint.overview.extent;
  return paint.plotX + ((ns - fromNs) / (toNs - fromNs)) * paint.plotWidth;
}

function drawRole(paint: OverviewPaint, view: Answers["view"], stripe: (typeof ROLES)[number], look: EventLook): void {
  const { context, overview, theme } = paint;
  overview.rows.forEach((row, at) => {
    if (row.role !== stripe.role) return;
    const slices = view.rows[at];
    if (slices === undefined) return;
    for (let box = 0; box < slices.startNs.length; box++) {
      const kind = slices.kind[box] ?? 0;
      const isWait = kind === EventKind.streamWait || kind === EventKind.hostWait;
      if (isWait && row.role !== "compute") continue;
      context.fillStyle = isWait ? theme.look(kind).colour : look.colour;
      context.globalAlpha = isWait ? 0.45 : 0.4 + 0.6 * (slices.coverage[box] ?? 1);
      const x = overviewX(paint, slices.startNs[box] ?? 0);
      const width = Math.max(1, overviewX(paint, slices.endNs[box] ?? 0) - x);
      context.fillRect(x, stripe.y, width, stripe.height);
    }
  });
  context.globalAlpha = 1;
}

function drawMemoryShape(paint: OverviewPaint, view: Answers["view"]): void {
  const { context, theme, overview, height, plotX, plotWidth } = paint;
  const at = overview.memory.findIndex((curve) => curve.of === "device");
  const slices = view.memory[at];
  const peak = overview.memory[at]?.peakBytes ?? 0;
  if (slices === undefined || peak <= 0) return;
  context.fillStyle = theme.deviceMemory;
  context.globalAlpha = 0.55;
  for (let point = 0; point < slices.timeNs.length; point++) {
    const x = overviewX(paint, slices.timeNs[point] ?? 0);
    const next = slices.timeNs[point + 1];
    const nextX = next === undefined ? plotX + plotWidth : overviewX(paint, next);
    const tall = ((slices.highBytes[point] ?? 0) / peak) * (height - MEMORY_Y);
    context.fillRect(x, height - tall, nextX - x, tall);
  }
  context.globalAlpha = 1;
}

function drawWindow(paint: OverviewPaint): void {
  const { context, theme, range, plotX, plotWidth, height } = paint;
  const left = overviewX(paint, range.fromNs);
  const right = Math.max(left + 2, overviewX(paint, range.toNs));
  context.fillStyle = theme.background;
  context.globalAlpha = 0.65;
  context.fillRect(plotX, 0, left - plotX, height);
  context.fillRect(right, 0, plotX + plotWidth - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.focus;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, 0.5, right - left - 1, height - 1);
  context.fillStyle = theme.focus;
  for (const x of [left, right - 3]) context.fillRect(x, height / 2 - 7, 3, 14);
}
