import { formatNs } from "../../../core/base/quantities.js";
import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import { firstAtLeast } from "../../../core/timeline/columns/eventRows.js";
import type { Intervals } from "../../../core/timeline/columns/intervals.js";
import { isCoveredRole, laneTraits, ROLE_NAMES } from "../../../core/timeline/columns/laneWork.js";
import type { LaneStripe, Stripe } from "../geometry.js";
import { deviceMetrics } from "../state/deviceMetrics.js";
import { shortName } from "../state/shortName.js";
import { rulerTicks } from "./bands.js";
import type { BoxPainter } from "./boxPainter.js";
import { readableOn } from "./colour.js";
import { below, drawText, insidePlot, isOnScreen, nsOf, type Paint, type PaintedRun, textWidth, xOf } from "./paint.js";
import { BoxLook, LABEL_PX, type PreparedView } from "./preparedView.js";

/** Copies are few and what the page is about: the shortest can still be seen. */
const SMALLEST_COPY_PX = 2;
const LEAST_NAMED_HEIGHT_PX = 12;
const MOST_LABEL_PX = 46;

/** Beds, grid lines and boxes of all lanes, on the canvas below. */
export function paintBoxes(paint: Paint, painter: BoxPainter): void {
  const { geometry } = paint;
  const bed = [geometry.plotX, geometry.plotX + geometry.plotWidth];
  const shown = geometry.lanes.filter((lane) => isOnScreen(paint, lane, lane.isFixed));
  for (const lane of shown) painter.fill(bed, { ...placeOf(paint, lane, lane), smallestPx: 1 }, BoxLook.bed);
  const lines = rulerTicks(paint).values.flatMap((ns) => [Math.round(xOf(paint, ns)), Math.round(xOf(paint, ns)) + 1]);
  const ruler = { y: geometry.ruler.y + 14, height: paint.height, clipTop: 0, smallestPx: 1 };
  painter.fill(lines, ruler, BoxLook.gridLine);
  for (const lane of shown) {
    const prepared = paint.runs.get(lane.run)?.prepared ?? null;
    if (prepared === null) continue;
    const smallestPx = isCoveredRole(lane.role) ? SMALLEST_COPY_PX : 1;
    for (const row of lane.rows) painter.row(prepared, row.row, { ...placeOf(paint, lane, row), smallestPx });
  }
}

/** Names of lanes and boxes and the marks of exposed copy time, on the canvas above. */
export function drawLanes(paint: Paint): void {
  const { lanes, fixedHeight, runs } = paint.geometry;
  for (const lane of lanes) if (lane.isFixed) drawLane(paint, lane);
  below(paint, fixedHeight, () => {
    for (const stripe of runs) drawRunTitle(paint, stripe, paint.runs.get(stripe.run));
    for (const lane of lanes) if (!lane.isFixed && isOnScreen(paint, lane)) drawLane(paint, lane);
  });
}

function placeOf(paint: Paint, lane: LaneStripe, stripe: Stripe) {
  return { y: stripe.y, height: stripe.height, clipTop: lane.isFixed ? 0 : paint.geometry.fixedHeight };
}

function drawLane(paint: Paint, lane: LaneStripe): void {
  const { context, theme, geometry } = paint;
  const run = paint.runs.get(lane.run);
  if (run === undefined) return;
  drawLabel(paint, lane, run);
  if (theme.isHighContrast) {
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(geometry.plotX + 0.5, lane.y + 0.5, geometry.plotWidth - 1, lane.height - 1);
  }
  if (lane.rows.length === 0) drawEmptyLane(paint, lane);
  const { prepared } = run;
  if (prepared !== null && !lane.isFolded)
    for (const row of lane.rows) if (row.height >= LEAST_NAMED_HEIGHT_PX) drawNames(paint, run, prepared, row.row, row);
  const exposure = run.overview.laneExposure[lane.lane] ?? null;
  if (lane.exposed !== null && exposure !== null) drawExposed(paint, exposure.intervals, run.shiftNs, lane.exposed);
}

function drawRunTitle(paint: Paint, stripe: Stripe, run: PaintedRun | undefined): void {
  const { context, theme, geometry } = paint;
  if (run === undefined || !isOnScreen(paint, stripe)) return;
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, stripe.y + 0.5);
  context.lineTo(geometry.width, stripe.y + 0.5);
  context.stroke();
  context.font = theme.boldFont;
  context.textBaseline = "middle";
  context.fillStyle = theme.foreground;
  drawText(context, run.title, 12, stripe.y + stripe.height / 2 + 1, geometry.width - 24);
}

function drawEmptyLane(paint: Paint, lane: LaneStripe): void {
  const { context, theme, geometry } = paint;
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  context.fillText(laneTraits(lane.role).shownEmpty ?? "", geometry.plotX + 8, lane.y + lane.height / 2);
}

function drawLabel(paint: Paint, lane: LaneStripe, run: PaintedRun): void {
  const { context, theme, geometry } = paint;
  const widthPx = geometry.plotX - 20;
  // A pinned lane is not below the name of its run.
  const owner = lane.isPinned && paint.runs.size > 1 ? `${run.shortTitle} · ` : "";
  const detail = lane.isFolded ? "" : `${owner}${labelDetail(lane, run)}`;
  const folded = lane.role === "host" ? lane.stream || ROLE_NAMES.host : `${laneTitle(lane, run)} · ${lane.stream}`;
  const name = lane.isFolded ? `▸ ${owner}${folded}` : laneTitle(lane, run);
  context.textBaseline = "middle";
  context.fillStyle = theme.foreground;
  context.font = theme.boldFont;
  // Beside one row of boxes in its middle, beside several at the top.
  const middle = lane.y + Math.min(lane.height, MOST_LABEL_PX) / 2;
  drawText(context, name, 12, detail === "" ? middle : middle - 6, widthPx);
  if (detail === "") return;
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  drawText(context, detail, 12, middle + 7, widthPx);
}

/** `Compute`, with the device where there are several. */
export function laneTitle(lane: LaneStripe, run: Pick<PaintedRun, "overview"> | undefined): string {
  const isOneOfSeveral = lane.device !== null && (run?.overview.devices.length ?? 0) > 1;
  return isOneOfSeveral ? `${ROLE_NAMES[lane.role]} · GPU ${lane.device}` : ROLE_NAMES[lane.role];
}

/** Lanes of a run that share role and device with this one, itself among them. */
export function lanesAlike(lane: LaneStripe, { overview }: Pick<PaintedRun, "overview">): number {
  return overview.lanes.filter(({ role, device }) => role === lane.role && (device ?? null) === lane.device).length;
}

/** The number under a lane's name; streams that share a role show their own names and what is theirs alone. */
function labelDetail(lane: LaneStripe, { overview }: PaintedRun): string {
  if (lanesAlike(lane, { overview }) > 1) {
    const exposure = overview.laneExposure[lane.lane] ?? null;
    const exposed = exposure === null ? "" : `${formatNs(exposure.exposedNs)} exposed`;
    return [streamName(lane), exposed].filter((part) => part !== "").join(" · ");
  }
  const metrics = deviceMetrics(overview, lane.device);
  if (lane.role === "compute") return `${formatNs(metrics.computeBusyNs)} busy`;
  if (lane.role === "host") return metrics.hostWaitNs > 0 ? `${formatNs(metrics.hostWaitNs)} waiting` : "";
  // What counts as compute is hidden by definition.
  if (!isCoveredRole(lane.role) || laneTraits(lane.role).counts === "compute") return lane.stream;
  const covered = metrics[lane.role];
  return covered.count === 0 ? "" : `${formatNs(covered.exposedNs)} exposed`;
}

/** `stream 7`; streams and threads with names keep them. */
export function streamName({ stream }: Pick<LaneStripe, "stream">): string {
  return stream === "" || /\D/.test(stream) ? stream : `stream ${stream}`;
}

/** Text starts at the visible edge of a box that begins left of the plot; patterned boxes get a plate under it. */
function drawNames(paint: Paint, run: PaintedRun, prepared: PreparedView, row: number, stripe: Stripe): void {
  const { context, theme, geometry, range } = paint;
  const boxes = prepared.rows[row];
  const slices = prepared.view.rows[row];
  if (boxes === undefined || slices === undefined) return;
  const pxPerNs = geometry.plotWidth / (range.toNs - range.fromNs);
  const shift = geometry.plotX + (prepared.originNs - range.fromNs) * pxPerNs;
  const plotRight = geometry.plotX + geometry.plotWidth;
  context.font = theme.font;
  context.textBaseline = "middle";
  for (const box of boxes.named) {
    const at = (boxes.first + box) * 2;
    const x = Math.round((prepared.bounds[at] ?? 0) * pxPerNs + shift);
    const right = Math.round((prepared.bounds[at + 1] ?? 0) * pxPerNs + shift);
    if (right < geometry.plotX || x > plotRight || right - x < LABEL_PX) continue;
    const left = Math.max(x, geometry.plotX) + 5;
    const room = Math.min(right, plotRight) - left - 4;
    const name = shortName(run.overview.strings[slices.name[box] ?? 0] ?? "", slices.layer[box] ?? -1);
    drawName(paint, name, slices.kind[box] ?? EventKind.other, left, stripe.y + stripe.height / 2 + 0.5, room);
  }
}

function drawName(paint: Paint, name: string, kind: number, left: number, middle: number, room: number): void {
  const { context, theme } = paint;
  if (name === "" || room < LABEL_PX - 8) return;
  const whole = textWidth(context, name.slice(0, 300));
  if (whole > room && room < 4 * (whole / Math.min(300, name.length))) return;
  const look = theme.look(kind);
  if (look.pattern !== "plain") {
    const width = Math.min(room, whole);
    context.fillStyle = theme.background;
    context.globalAlpha = 0.78;
    context.fillRect(left - 3, middle - 7, width + 6, 14);
    context.globalAlpha = 1;
    context.fillStyle = theme.foreground;
  } else context.fillStyle = readableOn(look.colour);
  drawText(context, name, left, middle, room);
}

function drawExposed(paint: Paint, exposed: Intervals, shiftNs: number, stripe: Stripe): void {
  const { context, theme, range } = paint;
  insidePlot(paint, stripe, () => {
    context.fillStyle = theme.exposed;
    let at = firstAtLeast(exposed.endNs, range.fromNs - shiftNs);
    while (at < exposed.startNs.length) {
      const startNs = (exposed.startNs[at] ?? 0) + shiftNs;
      if (startNs > range.toNs) break;
      const x = xOf(paint, startNs);
      const right = Math.max(x + 1, xOf(paint, (exposed.endNs[at] ?? 0) + shiftNs));
      context.fillRect(x, stripe.y + 1, right - x, stripe.height - 2);
      // Thousands of intervals in one pixel need one rectangle: on to the first that ends beyond it.
      at = Math.max(at + 1, firstAtLeast(exposed.endNs, nsOf(paint, right + 0.5) - shiftNs, at + 1));
    }
  });
}
