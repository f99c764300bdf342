import { visibleLine } from "../../../core/base/visibleText.js";
import type { TimelineOverview } from "../../../core/timeline/query/protocol.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import type { Geometry, Stripe } from "../geometry.js";
import type { EventLook, Theme } from "../theme.js";
import type { PreparedView } from "./preparedView.js";

/** A run on the canvas with what is known of it. */
export interface PaintedRun {
  readonly run: number;
  /** Shown where several runs are side by side. */
  readonly title: string;
  /** The same where room is short. */
  readonly shortTitle: string;
  readonly overview: TimelineOverview;
  /** null until the first answer. */
  readonly prepared: PreparedView | null;
  /** Added to the run's own times to have them on the clock of the canvas, ns. */
  readonly shiftNs: number;
  /** Parameters and buffers of the run; 0 where unknown. */
  readonly staticBytes: number;
  /** Phase and cause of the run's peak; undefined where nobody recorded them. */
  readonly peakNote: string | undefined;
}

/** Everything that a painter needs; coordinates are CSS pixels on the screen, the context is scaled for it. */
export interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly geometry: Geometry;
  /** Height of the canvas. */
  readonly height: number;
  /** Of the run in front. */
  readonly overview: TimelineOverview;
  readonly runs: ReadonlyMap<number, PaintedRun>;
  readonly range: VisibleRange;
}

/** Horizontal position of a time on the clock of the canvas, not rounded. */
export function xOf(paint: Pick<Paint, "geometry" | "range">, ns: number): number {
  const { geometry, range } = paint;
  return geometry.plotX + ((ns - range.fromNs) / (range.toNs - range.fromNs)) * geometry.plotWidth;
}

/** Time at a horizontal position. */
export function nsOf(paint: Pick<Paint, "geometry" | "range">, x: number): number {
  const { geometry, range } = paint;
  return range.fromNs + ((x - geometry.plotX) / geometry.plotWidth) * (range.toNs - range.fromNs);
}

/** Whether a lane or curve can be seen; `isFixed` stripes do not scroll away below the bands. */
export function isOnScreen(paint: Pick<Paint, "geometry" | "height">, stripe: Stripe, isFixed = false): boolean {
  const top = isFixed ? 0 : paint.geometry.fixedHeight;
  return stripe.y < paint.height && stripe.y + stripe.height > top;
}

/** Runs `draw` with everything above `top` cut off. */
export function below(paint: Paint, top: number, draw: () => void): void {
  const { context, geometry } = paint;
  context.save();
  context.beginPath();
  context.rect(0, top, geometry.width, Math.max(0, paint.height - top));
  context.clip();
  draw();
  context.restore();
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

const MOST_WIDTHS = 20_000;
const widths = new Map<string, Map<string, number>>();

/** Width of a text in the context's present font, remembered: measuring thousands of names would take the whole frame. */
export function textWidth(context: CanvasRenderingContext2D, text: string): number {
  let known = widths.get(context.font);
  if (known === undefined || known.size > MOST_WIDTHS) {
    known = new Map();
    widths.set(context.font, known);
  }
  const width = known.get(text) ?? context.measureText(text).width;
  known.set(text, width);
  return width;
}

/** Longer names are cut before they are measured: no screen shows more of them. */
const MOST_LETTERS = 300;

const PLAIN = /^[ -~]*$/;

/** Nothing unseen is drawn either; most names are plain, and this is asked for every event of every frame. */
export function visibleName(text: string): string {
  return PLAIN.test(text) ? text : visibleLine(text);
}

/** Draws `text` cut to `maxPx`, with an ellipsis; nothing where not even two letters fit. Returns the width drawn. */
export function drawText(context: CanvasRenderingContext2D, text: string, x: number, y: number, maxPx: number): number {
  const shown = visibleName(text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text);
  const width = textWidth(context, shown);
  if (width <= maxPx) {
    context.fillText(shown, x, y);
    return width;
  }
  // From a guess by the average letter down to what fits: wide letters may come first.
  for (let letters = Math.floor((maxPx / width) * shown.length) - 1; letters >= 2; letters--) {
    const cut = `${shown.slice(0, letters)}…`;
    const cutWidth = textWidth(context, cut);
    if (cutWidth > maxPx) continue;
    context.fillText(cut, x, y);
    return cutWidth;
  }
  return 0;
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
