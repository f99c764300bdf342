import type { TimelineOverview } from "../../core/timeline/protocol.js";
import type { VisibleRange } from "../../core/timeline/visibleRange.js";
import type { Geometry, Stripe } from "../geometry.js";
import type { EventLook, Theme } from "../theme.js";

/** Everything that a painter needs; coordinates are CSS pixels, the context is scaled for the screen. */
export interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly geometry: Geometry;
  readonly overview: TimelineOverview;
  readonly range: VisibleRange;
  readonly patterns: Patterns;
  /** Parameters and buffers of the run. */
  readonly staticBytes: number;
}

/** Horizontal position of a time, not rounded. */
export function xOf(paint: Paint, ns: number): number {
  const { geometry, range } = paint;
  return geometry.plotX + ((ns - range.fromNs) / (range.toNs - range.fromNs)) * geometry.plotWidth;
}

/** Runs `draw` with everything outside the plot cut off. */
export function insidePlot(paint: Paint, stripe: Stripe, draw: () => void): void {
  const { context, geometry } = paint;
  context.save();
  context.beginPath();
  context.rect(geometry.plotX, stripe.y, geometry.plotWidth, stripe.height);
  context.clip();
  draw();
  context.restore();
}

/** Draws `text` cut to `maxPx`, with an ellipsis; nothing where not even two letters fit. Returns the width drawn. */
export function drawText(context: CanvasRenderingContext2D, text: string, x: number, y: number, maxPx: number): number {
  const width = context.measureText(text).width;
  if (width <= maxPx) {
    context.fillText(text, x, y);
    return width;
  }
  const perLetter = width / text.length;
  const letters = Math.floor(maxPx / perLetter) - 1;
  if (letters < 2) return 0;
  const cut = `${text.slice(0, letters)}…`;
  context.fillText(cut, x, y);
  return context.measureText(cut).width;
}

/** Fills for event looks, made once per theme and screen scale. */
export class Patterns {
  private readonly made = new Map<string, CanvasPattern | string>();

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly theme: Theme,
    private readonly scale: number,
  ) {}

  fill(look: EventLook): CanvasPattern | string {
    const key = `${look.pattern} ${look.colour}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const fill = look.pattern === "plain" ? look.colour : (this.tile(look) ?? look.colour);
    this.made.set(key, fill);
    return fill;
  }

  private tile(look: EventLook): CanvasPattern | null {
    const side = 8;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.round(side * this.scale);
    const tile = canvas.getContext("2d");
    if (tile === null) return null;
    tile.scale(canvas.width / side, canvas.height / side);
    tile.fillStyle = look.colour;
    tile.fillRect(0, 0, side, side);
    tile.strokeStyle = tile.fillStyle = this.theme.background;
    tile.globalAlpha = this.theme.isHighContrast ? 0.8 : 0.4;
    tile.lineWidth = 1.4;
    drawTile(tile, look.pattern, side);
    const pattern = this.context.createPattern(canvas, "repeat");
    pattern?.setTransform(new DOMMatrix().scale(side / canvas.width));
    return pattern;
  }
}

function drawTile(tile: CanvasRenderingContext2D, pattern: EventLook["pattern"], side: number): void {
  const line = (fromX: number, fromY: number, toX: number, toY: number) => {
    tile.moveTo(fromX, fromY);
    tile.lineTo(toX, toY);
  };
  tile.beginPath();
  // Diagonals reach beyond the tile on both sides, so that neighbours join without a notch.
  if (pattern === "rising" || pattern === "crossed")
    for (const shift of [-side, 0, side]) line(shift - 2, side + 2, shift + side + 2, -2);
  if (pattern === "falling" || pattern === "crossed")
    for (const shift of [-side, 0, side]) line(shift - 2, -2, shift + side + 2, side + 2);
  if (pattern === "flat") for (const y of [2, 6]) line(0, y, side, y);
  if (pattern === "upright") for (const x of [2, 6]) line(x, 0, x, side);
  tile.stroke();
  if (pattern !== "dotted") return;
  for (const [x, y] of [
    [2, 2],
    [6, 6],
  ] as const)
    tile.fillRect(x - 1, y - 1, 2, 2);
}
