import { firstAtLeast } from "../../../core/timeline/columns/eventRows.js";
import { formatTick, type Ticks, timeTicks } from "../../../core/timeline/query/ticks.js";
import { drawText, insidePlot, nsOf, type Paint, textWidth, visibleName, xOf } from "./paint.js";

const TICK_ROOM_PX = 90;

/** Left and right edge, CSS pixels. */
export interface Span {
  readonly left: number;
  readonly right: number;
}

/** The times that the ruler names. */
export function rulerTicks({ geometry, range }: Pick<Paint, "geometry" | "range">): Ticks {
  return timeTicks(range.fromNs, range.toNs, Math.max(2, Math.floor(geometry.plotWidth / TICK_ROOM_PX)));
}

/**
 * Ruler with labels; its lines through everything below lie on the canvas of the boxes. Labels under `covered`, where the
 * pointer's time and the length of the selection are written, give way.
 */
export function drawRuler(paint: Paint, covered: readonly Span[]): void {
  const { context, theme, geometry } = paint;
  const ticks = rulerTicks(paint);
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  const right = geometry.plotX + geometry.plotWidth;
  for (const ns of ticks.values) {
    const x = Math.round(xOf(paint, ns)) + 4.5;
    const text = formatTick(ns, ticks.step);
    const end = x + textWidth(context, text);
    const isCovered = covered.some((span) => x < span.right + 4 && end > span.left - 4);
    if (end <= right && !isCovered) context.fillText(text, x, geometry.ruler.y + geometry.ruler.height / 2);
  }
  context.strokeStyle = theme.line;
  const y = geometry.ruler.height - 0.5;
  line(paint, geometry.plotX, y, right, y);
  label(paint, "Time", geometry.ruler.y + geometry.ruler.height / 2);
}

/** Steps and phases. A step's label gives way to its phases, which cover it. */
export function drawPhases(paint: Paint): void {
  const { context, theme, geometry, overview } = paint;
  const { phases } = geometry;
  const inner = overview.spans.filter((span) => span.kind !== "step");
  const shown = inner.length > 0 ? inner : overview.spans;
  if (phases.height === 0) return;
  label(paint, shown === inner ? "Phase" : "Step", phases.y + phases.height / 2);
  insidePlot(paint, phases, () => {
    for (const span of shown) {
      if (span.endNs < paint.range.fromNs || span.startNs > paint.range.toNs) continue;
      const x = xOf(paint, span.startNs);
      const width = xOf(paint, span.endNs) - x;
      context.fillStyle = theme.foreground;
      context.globalAlpha = span.kind === "backward" ? 0.2 : 0.11;
      context.fillRect(x, phases.y + 1, width, phases.height - 2);
      context.globalAlpha = 1;
      centred(paint, span.label, x, width, phases.y + phases.height / 2, theme.font);
    }
  });
  drawStepBoundaries(paint);
}

function drawStepBoundaries(paint: Paint): void {
  const { context, theme, geometry, overview } = paint;
  insidePlot(paint, { y: 0, height: paint.height }, () => {
    context.strokeStyle = theme.foreground;
    for (const span of overview.spans) {
      if (span.endNs < paint.range.fromNs || span.startNs > paint.range.toNs) continue;
      context.globalAlpha = span.kind === "step" ? 0.8 : 0.35;
      context.setLineDash(span.kind === "step" ? [] : [3, 3]);
      const edges = span.kind === "step" ? [span.startNs, span.endNs] : [span.startNs];
      for (const ns of edges) {
        const x = Math.round(xOf(paint, ns)) + 0.5;
        line(paint, x, geometry.phases.y, x, paint.height);
      }
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  });
}

/** Which layer compute works on; numbers where they fit. */
export function drawLayers(paint: Paint): void {
  const { geometry, overview, range } = paint;
  const { layers } = geometry;
  const { startNs, endNs, layer } = overview.layerBand;
  if (layers.height === 0) return;
  label(paint, "Layer", layers.y + layers.height / 2);
  insidePlot(paint, layers, () => {
    let at = firstAtLeast(endNs, range.fromNs);
    while (at < layer.length) {
      const start = startNs[at] ?? 0;
      if (start > range.toNs) break;
      const x = xOf(paint, start);
      const width = Math.max(1, xOf(paint, endNs[at] ?? 0) - x);
      drawLayer(paint, layer[at] ?? 0, x, width);
      // Many layers in one pixel need one box: on to the first that ends beyond it.
      at = Math.max(at + 1, firstAtLeast(endNs, nsOf(paint, x + width + 0.5), at + 1));
    }
  });
}

function drawLayer(paint: Paint, number: number, x: number, width: number): void {
  const { context, theme, geometry, overview } = paint;
  const { layers } = geometry;
  context.fillStyle = theme.foreground;
  context.globalAlpha = number % 2 === 0 ? 0.1 : 0.2;
  context.fillRect(x, layers.y + 1, width, layers.height - 2);
  context.globalAlpha = 1;
  if (width > 4) {
    context.strokeStyle = theme.line;
    context.strokeRect(x + 0.5, layers.y + 1.5, width - 1, layers.height - 3);
  }
  if (width < 9) return;
  const name = overview.layerNames[number] ?? `layer ${number}`;
  const text = width > textWidth(context, name) + 16 ? name : String(number);
  centred(paint, text, x, width, layers.y + layers.height / 2, theme.smallFont);
}

/** Text in the middle of the visible part of a box; nothing where it does not fit whole. */
function centred(paint: Paint, label: string, x: number, width: number, middle: number, font: string): void {
  const text = visibleName(label);
  const { context, theme, geometry } = paint;
  const left = Math.max(x, geometry.plotX);
  const room = Math.min(x + width, geometry.plotX + geometry.plotWidth) - left;
  context.font = font;
  const needed = textWidth(context, text);
  if (needed + 4 > room) return;
  context.fillStyle = theme.foreground;
  context.textBaseline = "middle";
  context.fillText(text, left + (room - needed) / 2, middle + 0.5);
}

function label(paint: Paint, text: string, middle: number): void {
  const { context, theme } = paint;
  context.font = theme.smallFont;
  context.fillStyle = theme.muted;
  context.textBaseline = "middle";
  drawText(context, text, 12, middle + 0.5, paint.geometry.plotX - 20);
}

function line(paint: Paint, fromX: number, fromY: number, toX: number, toY: number): void {
  paint.context.lineWidth = 1;
  paint.context.beginPath();
  paint.context.moveTo(fromX, fromY);
  paint.context.lineTo(toX, toY);
  paint.context.stroke();
}
