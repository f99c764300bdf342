import { firstAtLeast } from "../columns/eventRows.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import { emptySlices, type RowSlices, sliceRow } from "./slices.js";

/** Smaller timelines are sliced faster than a cache is kept. */
const LEAST_EVENTS = 100_000;
/** A level has at most so many pixels over the whole timeline, and two boxes per pixel and row. */
const MOST_PIXELS = 32_768;
/** Of all kept levels together; a box takes 37 bytes. */
const MOST_BOXES = 2_000_000;

/**
 * What is visible, from whole timelines that were sliced once per power of two of the resolution: panning and zooming far out
 * then only copies. `null` where slicing afresh is cheaper. The resolution is finer than asked, at most by half.
 * Rows that are not wanted have no boxes.
 */
export function coarseView(
  indexed: IndexedTimeline,
  fromNs: number,
  toNs: number,
  askedPixelNs: number,
  isWanted: (row: number) => boolean = () => true,
): { readonly pixelNs: number; readonly rows: RowSlices[] } | null {
  const { extent, eventCount } = indexed.overview;
  const pixelNs = 2 ** Math.floor(Math.log2(askedPixelNs));
  if (eventCount < LEAST_EVENTS || (extent.toNs - extent.fromNs) / pixelNs > MOST_PIXELS) return null;
  return {
    pixelNs,
    rows: levelOf(indexed, pixelNs).map((slices, at) => (isWanted(at) ? cut(slices, fromNs, toNs) : emptySlices(0))),
  };
}

function levelOf(indexed: IndexedTimeline, pixelNs: number): readonly RowSlices[] {
  const known = indexed.levels.get(pixelNs);
  if (known !== undefined) return known;
  const { rows, timeline, overview } = indexed;
  const { fromNs, toNs } = overview.extent;
  const level = rows.map((row) => sliceRow(row, timeline.events, fromNs, toNs + 1, pixelNs));
  let boxes = boxesOf(level);
  for (const kept of indexed.levels.values()) boxes += boxesOf(kept);
  for (const [oldest, kept] of indexed.levels) {
    if (boxes <= MOST_BOXES) break;
    indexed.levels.delete(oldest);
    boxes -= boxesOf(kept);
  }
  indexed.levels.set(pixelNs, level);
  return level;
}

function boxesOf(level: readonly RowSlices[]): number {
  return level.reduce((sum, row) => sum + row.startNs.length, 0);
}

/** Copies of the boxes that touch a span: the answer leaves this thread. */
function cut(slices: RowSlices, fromNs: number, toNs: number): RowSlices {
  let first = firstAtLeast(slices.startNs, fromNs);
  // Boxes of a last row may overlap; those that began earlier and still run are few and near.
  while (first > 0 && (slices.endNs[first - 1] ?? 0) > fromNs) first--;
  const after = firstAtLeast(slices.startNs, toNs, first);
  return {
    startNs: slices.startNs.slice(first, after),
    endNs: slices.endNs.slice(first, after),
    event: slices.event.slice(first, after),
    count: slices.count.slice(first, after),
    coverage: slices.coverage.slice(first, after),
    kind: slices.kind.slice(first, after),
    layer: slices.layer.slice(first, after),
    name: slices.name.slice(first, after),
  };
}
