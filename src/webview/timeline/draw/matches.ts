import { firstAtLeast } from "../../../core/timeline/columns/eventRows.js";
import type { MatchMarks } from "../../../core/timeline/query/protocol.js";
import { stripeOf } from "./overlay.js";
import { below, insidePlot, isOnScreen, type Paint, xOf } from "./paint.js";

const MARK_PX = 3;

/** A bar along the upper edge of every event that the search found, with an edge of the background so that it shows on any fill. */
export function drawMatches(paint: Paint, run: number, found: readonly MatchMarks[]): void {
  for (const marks of found) {
    const place = stripeOf(paint, run, marks.row);
    if (place === undefined || !isOnScreen(paint, place.lane, place.lane.isFixed)) continue;
    below(paint, place.lane.isFixed ? 0 : paint.geometry.fixedHeight, () =>
      insidePlot(paint, place.stripe, () => drawBars(paint, marks, place.stripe.y)),
    );
  }
}

function drawBars(paint: Paint, { startNs, endNs }: MatchMarks, y: number): void {
  const { context, theme, range } = paint;
  for (let at = firstAtLeast(endNs, range.fromNs); at < startNs.length; at++) {
    const start = startNs[at] ?? 0;
    if (start > range.toNs) break;
    const x = Math.round(xOf(paint, start));
    const width = Math.max(2, Math.round(xOf(paint, endNs[at] ?? 0)) - x);
    context.fillStyle = theme.background;
    context.fillRect(x, y, width, MARK_PX + 1);
    context.fillStyle = theme.foreground;
    context.fillRect(x, y, width, MARK_PX);
  }
}
