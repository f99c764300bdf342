import type { EventColumns } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { type EventRow, firstAtLeast, firstLong } from "../columns/eventRows.js";

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
  // The latest end never falls, so the first box that ends after `fromNs` is found by bisection.
  let at = firstAtLeast(row.latestEndNs, fromNs);
  const stop = firstAtLeast(row.startNs, toNs, at);
  const boxes = new BoxList(Math.min(stop - at, 2 * Math.ceil((toNs - fromNs) / pixelNs) + 2));
  while (at < stop) {
    const startNs = row.startNs[at] ?? 0;
    const pixelEndNs = (Math.floor(startNs / pixelNs) + 1) * pixelNs;
    const samePixelStop = Math.max(at + 1, nearbyAtLeast(row.startNs, pixelEndNs, at + 1, stop));
    const isLong = durationAt(row, at) >= pixelNs;
    const after = isLong ? samePixelStop : Math.max(at + 1, firstLong(row, pixelNs, at + 1, samePixelStop));
    boxes.add(at, after);
    at = after;
  }
  return toColumns(row, events, boxes);
}

/** First and last event of each box, in columns that grow. */
class BoxList {
  length = 0;
  first: Uint32Array;
  after: Uint32Array;

  constructor(expected: number) {
    this.first = new Uint32Array(Math.max(16, expected));
    this.after = new Uint32Array(this.first.length);
  }

  add(first: number, after: number): void {
    if (this.length === this.first.length) this.grow();
    this.first[this.length] = first;
    this.after[this.length] = after;
    this.length++;
  }

  private grow(): void {
    const { first, after } = this;
    this.first = new Uint32Array(first.length * 2);
    this.first.set(first);
    this.after = new Uint32Array(this.first.length);
    this.after.set(after);
  }
}

/** First position in `[from, limit)` whose value is at least `value`, else `limit`; what is near is found fast. */
function nearbyAtLeast(column: Float64Array, value: number, from: number, limit: number): number {
  let low = from;
  let step = 1;
  while (low + step < limit && (column[low + step] ?? 0) < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(limit, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toColumns(row: EventRow, events: EventColumns, boxes: BoxList): RowSlices {
  const slices = emptySlices(boxes.length);
  for (let at = 0; at < boxes.length; at++) {
    const first = boxes.first[at] ?? 0;
    const after = boxes.after[at] ?? 0;
    const startNs = row.startNs[first] ?? 0;
    const endNs = Math.max(endAt(row, first), endAt(row, after - 1), startNs);
    const covered = (row.durationBeforeNs[after] ?? 0) - (row.durationBeforeNs[first] ?? 0);
    const event = representative(row, events, first, after);
    slices.startNs[at] = startNs;
    slices.endNs[at] = endNs;
    slices.event[at] = event;
    slices.count[at] = after - first;
    slices.coverage[at] = endNs > startNs ? Math.min(1, covered / (endNs - startNs)) : 1;
    slices.kind[at] = events.kind[event] ?? 0;
    slices.layer[at] = events.layer[event] ?? -1;
    slices.name[at] = events.name[event] ?? 0;
  }
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

/** `length` boxes to be filled in. */
export function emptySlices(length: number): RowSlices {
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
