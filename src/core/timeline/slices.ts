import { type EventColumns, EventKind } from "./columns.js";
import { type EventRow, firstAtLeast, firstLong } from "./eventRows.js";

/**
 * What of a row is visible, at the resolution of the screen: one element per box to draw. A box with `count` 1 is one event;
 * a box with more stands for neighbours narrower than a pixel (or overlapping ones), of which `event` is one that works, not
 * waits, if there is one near the front.
 * Nothing visible is left out: every event in the span is in exactly one box.
 */
export interface RowSlices {
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly event: Uint32Array;
  readonly count: Uint32Array;
  /** 0 … 1: how much of the box is covered by its events. */
  readonly coverage: Float32Array;
  readonly kind: Uint8Array;
  readonly layer: Int32Array;
  readonly name: Uint32Array;
}

/**
 * Boxes of `row` that touch `[fromNs, toNs)`, merged on a grid of `pixelNs` that starts at time 0, so that panning does not
 * make merged boxes flicker. At most about two boxes per pixel; time grows with the number of boxes, not of events.
 */
export function sliceRow(
  row: EventRow,
  events: EventColumns,
  fromNs: number,
  toNs: number,
  pixelNs: number,
): RowSlices {
  const boxes: { first: number; after: number; endNs: number }[] = [];
  // The latest end never falls, so the first box that ends after `fromNs` is found by bisection.
  let at = firstAtLeast(row.latestEndNs, fromNs);
  const stop = firstAtLeast(row.startNs, toNs, at);
  while (at < stop) {
    const startNs = row.startNs[at] ?? 0;
    const pixelEndNs = (Math.floor(startNs / pixelNs) + 1) * pixelNs;
    const samePixelStop = Math.min(stop, Math.max(at + 1, firstAtLeast(row.startNs, pixelEndNs, at + 1)));
    const isLong = durationAt(row, at) >= pixelNs;
    const after = isLong ? samePixelStop : Math.max(at + 1, firstLong(row, pixelNs, at + 1, samePixelStop));
    boxes.push({ first: at, after, endNs: Math.max(endAt(row, at), endAt(row, after - 1)) });
    at = after;
  }
  return toColumns(row, events, boxes);
}

function toColumns(
  row: EventRow,
  events: EventColumns,
  boxes: readonly { first: number; after: number; endNs: number }[],
): RowSlices {
  const slices = emptySlices(boxes.length);
  boxes.forEach((box, at) => {
    const startNs = row.startNs[box.first] ?? 0;
    const endNs = Math.max(box.endNs, startNs);
    const covered = (row.durationBeforeNs[box.after] ?? 0) - (row.durationBeforeNs[box.first] ?? 0);
    const event = representative(row, events, box.first, box.after);
    slices.startNs[at] = startNs;
    slices.endNs[at] = endNs;
    slices.event[at] = event;
    slices.count[at] = box.after - box.first;
    slices.coverage[at] = endNs > startNs ? Math.min(1, covered / (endNs - startNs)) : 1;
    slices.kind[at] = events.kind[event] ?? 0;
    slices.layer[at] = events.layer[event] ?? -1;
    slices.name[at] = events.name[event] ?? 0;
  });
  return slices;
}

/** How many events are looked at for one that does not wait: bounds the cost of a box, whatever it merges. */
const LOOK_AHEAD = 64;

function representative(row: EventRow, events: EventColumns, first: number, after: number): number {
  const stop = Math.min(after, first + LOOK_AHEAD);
  for (let at = first; at < stop; at++) {
    const event = row.event[at] ?? 0;
    const kind = events.kind[event];
    if (kind !== EventKind.streamWait && kind !== EventKind.hostWait) return event;
  }
  return row.event[first] ?? 0;
}

function emptySlices(length: number): RowSlices {
  return {
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    event: new Uint32Array(length),
    count: new Uint32Array(length),
    coverage: new Float32Array(length),
    kind: new Uint8Array(length),
    layer: new Int32Array(length),
    name: new Uint32Array(length),
  };
}

/**
 * The event of `row` at `timeNs`, else the one whose edge is nearest; undefined for an empty row. Among overlapping boxes the
 * last one that started wins.
 */
export function nearestEvent(row: EventRow, timeNs: number): number | undefined {
  if (row.event.length === 0) return undefined;
  const after = firstAtLeast(row.startNs, timeNs);
  // A box that starts exactly at the time holds it.
  if (after < row.event.length && row.startNs[after] === timeNs) return row.event[after];
  const before = after - 1;
  if (before < 0) return row.event[0];
  if (after >= row.event.length) return row.event[before];
  const endNs = (row.startNs[before] ?? 0) + durationAt(row, before);
  const gapBefore = timeNs - endNs;
  const gapAfter = (row.startNs[after] ?? 0) - timeNs;
  return row.event[gapBefore <= gapAfter ? before : after];
}

function endAt(row: EventRow, at: number): number {
  return (row.startNs[at] ?? 0) + durationAt(row, at);
}

function durationAt(row: EventRow, at: number): number {
  return row.longestNs[0]?.[at] ?? 0;
}
