import type { EventLook, Theme } from "../theme.js";
import { BoxLook, LOOK_COUNT, type PreparedView } from "./preparedView.js";

/** Narrower boxes show neither pattern nor edge, CSS pixels. */
export const LEAST_PATTERN_PX = 4;
/** Narrower boxes have an edge at their left only, which tells neighbours apart: four edges would leave a hole. */
export const LEAST_EDGE_PX = 8;

/** What a painter has to know before it draws a frame; lengths are CSS pixels. */
export interface BoxFrame {
  readonly width: number;
  readonly height: number;
  /** Screen pixels per CSS pixel. */
  readonly scale: number;
  readonly theme: Theme;
  readonly plotX: number;
  readonly plotWidth: number;
  readonly range: { readonly fromNs: number; readonly toNs: number };
}

/** Where a row of boxes goes, and what of it can be seen; CSS pixels. */
export interface RowPlace {
  readonly y: number;
  readonly height: number;
  readonly clipTop: number;
  readonly smallestPx: number;
}

/** Draws boxes on a canvas of its own, below the one with text. WebGL2 where there is one, else 2-D; same pictures. */
export interface BoxPainter {
  readonly canvas: HTMLCanvasElement;
  readonly kind: "webgl2" | "2d";
  /** Clears and prepares. */
  begin(frame: BoxFrame): void;
  /** Plain rectangles from `edges` (left and right, interleaved), all between `y` and `y + height`. */
  fill(edges: readonly number[], place: RowPlace, look: typeof BoxLook.bed | typeof BoxLook.gridLine): void;
  row(prepared: PreparedView, row: number, place: RowPlace): void;
  /** Gives back what the browser has few of; nothing is drawn afterwards. */
  close(): void;
}

/** How each value of a box's look is drawn in `theme`, by value. */
export function looksByValue(theme: Theme): EventLook[] {
  const looks = Array.from({ length: LOOK_COUNT }, (_, value) => theme.look(value));
  looks[BoxLook.quietWait] = theme.quietWait;
  looks[BoxLook.bed] = { colour: theme.faint, pattern: "plain", meaning: "" };
  looks[BoxLook.gridLine] = { colour: theme.line, pattern: "plain", meaning: "" };
  return looks;
}
