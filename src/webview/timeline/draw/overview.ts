import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import { LANES, type LaneRole } from "../../../core/timeline/columns/laneRoles.js";
import type { Answers, TimelineOverview } from "../../../core/timeline/query/protocol.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import type { EventLook, Theme } from "../theme.js";

/** The whole step in one strip: compute, copies, memory; what is not visible below is dimmed. */
export interface OverviewPaint {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly overview: TimelineOverview;
  readonly view: Answers["view"] | null;
  /** What the strip shows from edge to edge; wider than the run where several are side by side. */
  readonly whole: VisibleRange;
  readonly range: VisibleRange;
  readonly area: VisibleRange | null;
  readonly plotX: number;
  readonly plotWidth: number;
  readonly height: number;
}

/** A row of the strip; `from` and `to` are shares of its height. */
interface RoleRow {
  readonly role: LaneRole;
  readonly kind: number;
  readonly from: number;
  readonly to: number;
}

const GAP = 0.04;
const { rows: ROLES, end: MEMORY_FROM } = roleRows();

function roleRows(): { readonly rows: readonly RoleRow[]; readonly end: number } {
  const rows: RoleRow[] = [];
  let from = GAP;
  for (const { role, overviewShare, events } of LANES) {
    const [mark] = events;
    if (overviewShare === 0 || mark === undefined) continue;
    rows.push({ role, kind: mark.kind, from, to: from + overviewShare });
    from += overviewShare + GAP;
  }
  return { rows, end: from };
}

/** Everything that does not change while panning; drawn once and kept as a picture. */
export function drawOverviewPicture(paint: OverviewPaint): void {
  const { context, theme, plotX, plotWidth, height } = paint;
  context.fillStyle = theme.faint;
  context.fillRect(plotX, 0, plotWidth, height);
  if (paint.view !== null) {
    for (const stripe of ROLES) drawRole(paint, paint.view, stripe, theme.look(stripe.kind));
    drawMemoryShape(paint, paint.view);
  }
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  context.fillText(
    paint.overview.spans.some((span) => span.kind === "step") ? "Whole step" : "Whole trace",
    12,
    height / 2,
  );
}

/** The window of what is visible below, and the selected stretch. */
export function drawOverviewWindow(paint: OverviewPaint): void {
  const { context, theme, range, area, plotX, plotWidth, height } = paint;
  const left = overviewX(paint, range.fromNs);
  const right = Math.max(left + 2, overviewX(paint, range.toNs));
  context.fillStyle = theme.background;
  context.globalAlpha = 0.65;
  context.fillRect(plotX, 0, left - plotX, height);
  context.fillRect(right, 0, plotX + plotWidth - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = context.fillStyle = theme.focus;
  context.lineWidth = 1;
  if (area !== null) {
    const from = overviewX(paint, area.fromNs);
    context.setLineDash([3, 2]);
    context.strokeRect(from + 0.5, 2.5, Math.max(1, overviewX(paint, area.toNs) - from), height - 5);
    context.setLineDash([]);
  }
  context.strokeRect(left + 0.5, 0.5, right - left - 1, height - 1);
  for (const x of [left, right - 3]) context.fillRect(x, height / 2 - 7, 3, 14);
}

/** Position of a time in the strip. */
function overviewX({ whole, plotX, plotWidth }: OverviewPaint, ns: number): number {
  return plotX + ((ns - whole.fromNs) / (whole.toNs - whole.fromNs)) * plotWidth;
}

function drawRole(paint: OverviewPaint, view: Answers["view"], stripe: RoleRow, look: EventLook): void {
  const { context, overview, theme, height } = paint;
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
      context.fillRect(x, stripe.from * height, width, (stripe.to - stripe.from) * height);
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
  context.fillStyle = theme.memory.device;
  context.globalAlpha = 0.55;
  for (let point = 0; point < slices.timeNs.length; point++) {
    const x = overviewX(paint, slices.timeNs[point] ?? 0);
    const next = slices.timeNs[point + 1];
    const nextX = next === undefined ? plotX + plotWidth : overviewX(paint, next);
    const tall = ((slices.highBytes[point] ?? 0) / peak) * height * (1 - MEMORY_FROM);
    context.fillRect(x, height - tall, nextX - x, tall);
  }
  context.globalAlpha = 1;
}
