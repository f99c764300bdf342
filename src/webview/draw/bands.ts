import { firstAtLeast } from "../../core/timeline/eventRows.js";
import { formatTick, type Ticks, timeTicks } from "../../core/timeline/ticks.js";
import { drawText, insidePlot, type Paint, xOf } from "./paint.js";

const TICK_ROOM_PX = 90;

/** The times that the ruler names. */
export function rulerTicks({ geometry, range }: Pick<Paint, "geometry" | "range">): Ticks {
  return timeTicks(range.fromNs, range.toNs, Math.max(2, Math.floor(geometry.plotWidth / TICK_ROOM_PX)));
}

/** Ruler with labels, and its lines through everything below. */
export function drawRuler(paint: Paint): void {
  const { context, theme, geometry } = paint;
  const ticks = rulerTicks(paint);
  context.font = theme.smallFont;
  context.textBaseline = "middle";
  for (const ns of ticks.values) {
    const x = Math.round(xOf(paint, ns)) + 0.5;
    context.strokeStyle = theme.line;
    context.globalAlpha = theme.isHighContrast ? 0.3 : 0.55;
    line(paint, x, geometry.ruler.y + 14, x, geometry.height);
    context.globalAlpha = 1;
    const text = formatTick(ns, ticks.step);
    const width = context.measureText(text).width;
    context.fillStyle = theme.muted;
    const right = geometry.plotX + geometry.plotWidth;
    if (x + 4 + width <= right) context.fillText(text, x + 4, geometry.ruler.y + geometry.ruler.height / 2);
  }
  context.strokeStyle = theme.line;
  line(
    paint,
    geometry.plotX,
    geometry.ruler.height - 0.5,
    geometry.plotX + geometry.plotWidth,
    geometry.ruler.height - 0.5,
  );
  label(paint, "Time", geometry.ruler.y + geometry.ruler.height / 2);
}

/** Steps and phases. A step's label gives way to its phases, which cover it. */
export function drawPhases(paint: Paint): void {
  const { context, theme, geometry, overview } = paint;
  const { phases } = geometry;
  const inner = overview.spans.filter((span) => span.kind !== "step");
  const shown = inner.length > 0 ? inner : overview.spans;
  label(paint, "Phase", phases.y + phases.height / 2);
  insidePlot(paint, phases, () => {
    for (const span of shown) {
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
  insidePlot(paint, { y: 0, height: geometry.height }, () => {
    context.strokeStyle = theme.foreground;
    for (const span of overview.spans) {
      context.globalAlpha = span.kind === "step" ? 0.8 : 0.35;
      context.setLineDash(span.kind === "step" ? [] : [3, 3]);
      const edges = span.kind === "step" ? [span.startNs, span.endNs] : [span.startNs];
      for (const ns of edges) {
        const x = Math.round(xOf(paint, ns)) + 0.5;
        line(paint, x, geometry.phases.y, x, geometry.height);
      }
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  });
}

/** Which layer compute works on; numbers where they fit. */
export function drawLayers(paint: Paint): void {
  const { context, theme, geometry, overview, range } = paint;
  const { layers } = geometry;
  const { startNs, endNs, layer } = overview.layerBand;
  label(paint, "Layer", layers.y + layers.height / 2);
  insidePlot(paint, layers, () => {
    let drawnTo = -Infinity;
    for (let at = firstAtLeast(endNs, range.fromNs); at < layer.length; at++) {
      const start = startNs[at] ?? 0;
      if (start > range.toNs) break;
      const x = xOf(paint, start);
      const width = Math.max(1, xOf(paint, endNs[at] ?? 0) - x);
      if (x + width < drawnTo + 0.5) continue;
      drawnTo = x + width;
      const number = layer[at] ?? 0;
      context.fillStyle = theme.foreground;
      context.globalAlpha = number % 2 === 0 ? 0.1 : 0.2;
      context.fillRect(x, layers.y + 1, width, layers.height - 2);
      context.globalAlpha = 1;
      if (width > 4) {
        context.strokeStyle = theme.line;
        context.strokeRect(x + 0.5, layers.y + 1.5, width - 1, layers.height - 3);
      }
      if (width < 9) continue;
      centred(
        paint,
        width > 70 ? `layer ${number}` : String(number),
        x,
        width,
        layers.y + layers.height / 2,
        theme.smallFont,
      );
    }
  });
}

/** Text in the middle of the visible part of a box; nothing where it does not fit whole. */
function centred(paint: Paint, text: string, x: number, width: number, middle: number, font: string): void {
  const { context, theme, geometry } = paint;
  const left = Math.max(x, geometry.plotX);
  const room = Math.min(x + width, geometry.plotX + geometry.plotWidth) - left;
  context.font = font;
  const needed = context.measureText(text).width;
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
