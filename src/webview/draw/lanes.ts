import type { LaneRole } from "../../core/timeline/columns.js";
import { EventKind } from "../../core/timeline/columns.js";
import { firstAtLeast } from "../../core/timeline/eventRows.js";
import type { Intervals } from "../../core/timeline/intervals.js";
import type { Answers } from "../../core/timeline/protocol.js";
import { formatNs } from "../../core/timeline/quantities.js";
import type { RowSlices } from "../../core/timeline/slices.js";
import type { LaneStripe, Stripe } from "../geometry.js";
import { ROLE_NAMES, shortName } from "../roleNames.js";
import { drawText, insidePlot, type Paint, xOf } from "./paint.js";

const LABEL_PX = 22;
/** Copies are few and what the page is about: the shortest can still be seen. */
const SMALLEST_COPY_PX = 2;

interface Box extends Stripe {
  readonly x: number;
  readonly width: number;
  readonly role: LaneRole;
}

/** Lanes with their labels, boxes and marks of exposed copy time. `view` is null until the first answer. */
export function drawLanes(paint: Paint, view: Answers["view"] | null): void {
  for (const lane of paint.geometry.lanes) {
    drawLabel(paint, lane);
    drawBed(paint, lane);
    if (lane.rows.length === 0) drawEmptyLane(paint, lane);
    for (const row of lane.rows) {
      const slices = view?.rows[row.row];
      if (slices !== undefined) insidePlot(paint, row, () => drawRow(paint, slices, row, lane.role));
    }
    const exposed = lane.role === "d2h" || lane.role === "h2d" ? paint.overview.exposed[lane.role] : undefined;
    if (lane.exposed !== null && exposed !== undefined) drawExposed(paint, exposed, lane.exposed);
  }
}

function drawBed(paint: Paint, lane: LaneStripe): void {
  const { context, theme, geometry } = paint;
  context.fillStyle = theme.faint;
  context.fillRect(geometry.plotX, lane.y, geometry.plotWidth, lane.height);
  if (!theme.isHighContrast) return;
  context.strokeStyle = theme.line;
  context.strokeRect(geometry.plotX + 0.5, lane.y + 0.5, geometry.plotWidth - 1, lane.height - 1);
}

function drawEmptyLane(paint: Paint, lane: LaneStripe): void {
  const { context, theme, geometry } = paint;
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  const text = lane.role === "host" ? "the host never waited" : lane.role === "compute" ? "no kernels" : "no copies";
  context.fillText(text, geometry.plotX + 8, lane.y + lane.height / 2);
}

function drawLabel(paint: Paint, lane: LaneStripe): void {
  const { context, theme, geometry } = paint;
  const widthPx = geometry.plotX - 20;
  const detail = labelDetail(paint, lane);
  context.textBaseline = "middle";
  context.fillStyle = theme.foreground;
  context.font = theme.boldFont;
  drawText(context, ROLE_NAMES[lane.role], 12, lane.y + (detail === "" ? lane.height / 2 : 8), widthPx);
  if (detail === "") return;
  context.fillStyle = theme.muted;
  context.font = theme.smallFont;
  drawText(context, detail, 12, lane.y + 21, widthPx);
}

/** The number under a lane's name; streams that share a role show their own names instead. */
function labelDetail(paint: Paint, lane: LaneStripe): string {
  const { metrics, lanes } = paint.overview;
  if (lanes.filter((other) => other.role === lane.role).length > 1) return lane.stream;
  if (lane.role === "compute") return `${formatNs(metrics.computeBusyNs)} busy`;
  if (lane.role === "host") return metrics.hostWaitNs > 0 ? `${formatNs(metrics.hostWaitNs)} waiting` : "";
  const covered = metrics[lane.role];
  return covered.count === 0 ? "" : `${formatNs(covered.exposedNs)} exposed`;
}

function drawRow(paint: Paint, slices: RowSlices, stripe: Stripe, role: LaneRole): void {
  const { range } = paint;
  const smallest = role === "compute" || role === "host" ? 1 : SMALLEST_COPY_PX;
  for (let at = 0; at < slices.startNs.length; at++) {
    const startNs = slices.startNs[at] ?? 0;
    const endNs = slices.endNs[at] ?? 0;
    if (endNs < range.fromNs || startNs > range.toNs) continue;
    // Whole pixels: half-covered edges would blur thousands of boxes into grey.
    const x = Math.round(xOf(paint, startNs));
    const width = Math.max(smallest, Math.round(xOf(paint, endNs)) - x);
    drawBox(paint, slices, at, { ...stripe, x, width, role });
  }
}

function drawBox(paint: Paint, slices: RowSlices, at: number, box: Box): void {
  const { context, theme } = paint;
  const kind = slices.kind[at] ?? EventKind.other;
  const layer = slices.layer[at] ?? -1;
  const isMerged = (slices.count[at] ?? 1) > 1;
  const isQuiet = kind === EventKind.streamWait && box.role !== "compute";
  const look = isQuiet ? theme.quietWait : theme.look(kind);
  const isWait = kind === EventKind.streamWait || kind === EventKind.hostWait;
  context.fillStyle = box.width < 4 ? look.colour : paint.patterns.fill(look);
  context.globalAlpha = isQuiet ? 0.14 : boxAlpha(isMerged, slices.coverage[at] ?? 1, isWait, layer);
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  if (box.width >= 4 && !isQuiet) outline(paint, box, isWait ? look.colour : theme.background);
  if (box.width < LABEL_PX || isMerged || box.height < 12) return;
  const name = shortName(paint.overview.strings[slices.name[at] ?? 0] ?? "", layer);
  labelBox(paint, name, box, isWait || look.pattern !== "plain");
}

/** Density shows as strength; neighbouring layers differ a little, so that their borders can be seen. */
function boxAlpha(isMerged: boolean, coverage: number, isWait: boolean, layer: number): number {
  if (isWait) return 0.45;
  if (isMerged) return 0.35 + 0.6 * coverage;
  return layer >= 0 && layer % 2 === 1 ? 0.78 : 1;
}

function outline(paint: Paint, box: Box, colour: string): void {
  paint.context.strokeStyle = colour;
  paint.context.lineWidth = 1;
  paint.context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
}

/** Text starts at the visible edge of a box that begins left of the plot; patterned boxes get a plate under it. */
function labelBox(paint: Paint, name: string, box: Box, needsPlate: boolean): void {
  const { context, theme, geometry } = paint;
  const left = Math.max(box.x, geometry.plotX) + 5;
  const room = Math.min(box.x + box.width, geometry.plotX + geometry.plotWidth) - left - 4;
  if (room < LABEL_PX - 8) return;
  context.font = theme.font;
  context.textBaseline = "middle";
  const middle = box.y + box.height / 2 + 0.5;
  const whole = context.measureText(name).width;
  if (whole > room && room < 4 * (whole / name.length)) return;
  if (needsPlate) {
    const width = Math.min(room, whole);
    context.fillStyle = theme.background;
    context.globalAlpha = 0.78;
    context.fillRect(left - 3, middle - 7, width + 6, 14);
    context.globalAlpha = 1;
    context.fillStyle = theme.foreground;
  } else context.fillStyle = readableOn(paint.theme.look(EventKind.kernel).colour);
  drawText(context, name, left, middle, room);
}

const readable = new Map<string, string>();

/** Black or white, whichever reads better on an opaque `#rrggbb`; anything else counts as dark. */
function readableOn(colour: string): string {
  const known = readable.get(colour);
  if (known !== undefined) return known;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  const [red, green, blue] = hex === null ? [0, 0, 0] : hex.slice(1, 4).map((part) => Number.parseInt(part, 16));
  const brightness = 0.299 * (red ?? 0) + 0.587 * (green ?? 0) + 0.114 * (blue ?? 0);
  const chosen = brightness > 118 ? "#000000" : "#ffffff";
  readable.set(colour, chosen);
  return chosen;
}

function drawExposed(paint: Paint, exposed: Intervals, stripe: Stripe): void {
  const { context, theme, range } = paint;
  insidePlot(paint, stripe, () => {
    context.fillStyle = theme.exposed;
    let drawnTo = -Infinity;
    for (let at = firstAtLeast(exposed.endNs, range.fromNs); at < exposed.startNs.length; at++) {
      const startNs = exposed.startNs[at] ?? 0;
      if (startNs > range.toNs) break;
      const x = xOf(paint, startNs);
      const right = Math.max(x + 1, xOf(paint, exposed.endNs[at] ?? 0));
      // Thousands of intervals in one pixel need one rectangle.
      if (right < drawnTo + 0.5) continue;
      context.fillRect(Math.max(x, drawnTo), stripe.y + 1, right - Math.max(x, drawnTo), stripe.height - 2);
      drawnTo = right;
    }
  });
}
