import { sizeCanvas } from "./canvasSize.js";
import { drawOverviewPicture, drawOverviewWindow, type OverviewPaint } from "./overview.js";

/** What the kept picture depends on. */
type Drawn = Omit<OverviewPaint, "context" | "range" | "area" | "whole"> & {
  readonly fromNs: number;
  readonly toNs: number;
};

/** The overview strip: its picture is drawn once and copied in every frame, since only the window moves. */
export class OverviewStrip {
  private readonly kept = document.createElement("canvas");
  private drawn: Drawn | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  draw(paint: Omit<OverviewPaint, "context">, width: number, scale: number): void {
    const size = { width, height: paint.height, scale };
    sizeCanvas(this.canvas, size);
    const context = prepared(this.canvas, scale);
    if (context === null) return;
    this.refresh(paint, size);
    context.drawImage(this.kept, 0, 0, width, paint.height);
    drawOverviewWindow({ ...paint, context });
  }

  private refresh(paint: Omit<OverviewPaint, "context">, size: { width: number; height: number; scale: number }): void {
    const { range: _range, area: _area, whole, ...rest } = paint;
    const now: Drawn = { ...rest, fromNs: whole.fromNs, toNs: whole.toNs };
    const { drawn } = this;
    const isSame =
      drawn !== null &&
      this.kept.width === Math.round(size.width * size.scale) &&
      (Object.keys(now) as (keyof Drawn)[]).every((key) => drawn[key] === now[key]);
    if (isSame) return;
    this.drawn = now;
    sizeCanvas(this.kept, size);
    const context = prepared(this.kept, size.scale);
    if (context !== null) drawOverviewPicture({ ...paint, context });
  }
}

/** Cleared, in CSS pixels. */
export function prepared(canvas: HTMLCanvasElement, scale: number): CanvasRenderingContext2D | null {
  const context = canvas.getContext("2d");
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, canvas.width / scale, canvas.height / scale);
  return context;
}
