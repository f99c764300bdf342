import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import { element } from "../../kit/element.js";
import type { EventLook } from "../theme.js";
import {
  type BoxFrame,
  type BoxPainter,
  LEAST_EDGE_PX,
  LEAST_PATTERN_PX,
  looksByValue,
  type RowPlace,
} from "./boxPainter.js";
import { sizeCanvas } from "./canvasSize.js";
import { Patterns } from "./paint.js";
import { BoxLook, type PreparedView } from "./preparedView.js";

/** Boxes through the 2-D context: the fallback where the browser has no WebGL2 or lost it. */
export class FlatBoxes implements BoxPainter {
  readonly kind = "2d";
  readonly canvas = element("canvas", { class: "boxes", "aria-hidden": "true" });
  private readonly context = this.canvas.getContext("2d");
  private frame: BoxFrame | null = null;
  private looks: EventLook[] = [];
  private patterns: Patterns | null = null;
  private patternsOf: unknown = null;

  begin(frame: BoxFrame): void {
    const { context } = this;
    sizeCanvas(this.canvas, frame);
    if (context === null) return;
    this.frame = frame;
    context.setTransform(frame.scale, 0, 0, frame.scale, 0, 0);
    context.clearRect(0, 0, frame.width, frame.height);
    if (this.patternsOf === frame.theme) return;
    this.patternsOf = frame.theme;
    this.looks = looksByValue(frame.theme);
    this.patterns = new Patterns(context, frame.theme, frame.scale);
  }

  fill(edges: readonly number[], place: RowPlace, value: typeof BoxLook.bed | typeof BoxLook.gridLine): void {
    this.inside(place, (context, frame) => {
      context.fillStyle = this.looks[value]?.colour ?? "";
      context.globalAlpha = value === BoxLook.gridLine ? gridAlpha(frame) : 1;
      for (let at = 0; at + 1 < edges.length; at += 2)
        context.fillRect(edges[at] ?? 0, place.y, (edges[at + 1] ?? 0) - (edges[at] ?? 0), place.height);
    });
  }

  row(prepared: PreparedView, row: number, place: RowPlace): void {
    const boxes = prepared.rows[row];
    if (boxes === undefined) return;
    this.inside(place, (context, frame) => {
      const { plotX, plotWidth, range } = frame;
      const pxPerNs = plotWidth / (range.toNs - range.fromNs);
      const shift = plotX + (prepared.originNs - range.fromNs) * pxPerNs;
      for (let at = boxes.first; at < boxes.first + boxes.count; at++) {
        const left = Math.round((prepared.bounds[at * 2] ?? 0) * pxPerNs + shift);
        const right = Math.round((prepared.bounds[at * 2 + 1] ?? 0) * pxPerNs + shift);
        if (right < plotX || left > plotX + plotWidth) continue;
        const x = Math.max(left, plotX - 16);
        const width = Math.max(place.smallestPx, Math.min(right, plotX + plotWidth + 16) - x);
        this.box(context, frame, prepared.styles, at, x, width, place);
      }
    });
  }

  close(): void {
    this.frame = null;
  }

  private box(
    context: CanvasRenderingContext2D,
    frame: BoxFrame,
    styles: Uint8Array,
    at: number,
    x: number,
    width: number,
    { y, height }: RowPlace,
  ): void {
    const value = styles[at * 4] ?? EventKind.other;
    const look = this.looks[value] ?? frame.theme.look(EventKind.other);
    context.fillStyle = width < LEAST_PATTERN_PX ? look.colour : (this.patterns?.fill(look) ?? look.colour);
    context.globalAlpha = (styles[at * 4 + 1] ?? 255) / 255;
    context.fillRect(x, y, width, height);
    if (width < LEAST_PATTERN_PX || value === BoxLook.quietWait) return;
    const isWait = value === EventKind.streamWait || value === EventKind.hostWait;
    context.globalAlpha = 1;
    context.strokeStyle = context.fillStyle = isWait ? look.colour : frame.theme.background;
    context.lineWidth = 1;
    if (width < LEAST_EDGE_PX) context.fillRect(x, y, 1, height);
    else context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  }

  private inside(place: RowPlace, draw: (context: CanvasRenderingContext2D, frame: BoxFrame) => void): void {
    const { context, frame } = this;
    if (context === null || frame === null) return;
    context.save();
    context.beginPath();
    context.rect(frame.plotX, place.clipTop, frame.plotWidth, frame.height - place.clipTop);
    context.clip();
    draw(context, frame);
    context.restore();
  }
}

/** Grid lines stay behind what they measure. */
export function gridAlpha(frame: BoxFrame): number {
  return frame.theme.isHighContrast ? 0.3 : 0.55;
}
