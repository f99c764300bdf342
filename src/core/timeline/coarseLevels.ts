import { firstAtLeast } from "./eventRows.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import { type RowSlices, sliceRow } from "./slices.js";

/** Smaller timelines are sliced faster than a cache is kept. */
const LEAST_EVENTS = 100_000;
/** A level has at most so many pixels over the whole timeline: about 37 bytes per box, two boxes per pixel and row. */
const MOST_PIXELS = 8_192;
const MOST_LEVELS = 5;

/**
 * What is visible, from whole timelines that were sliced once per power of two of the resolution: panning and zooming far out
 * then only copies. `null` where slicing afresh is cheaper. The resolution is finer than asked, at most by half.
 */
export function coarseView(
  indexed: IndexedTimeline,
  fromNs: number,
  toNs: number,
  askedPixelNs: number,
): { readonly pixelNs: number; readonly rows: RowSlices[] } | null {
  const { extent, eventCount } = indexed.overview;
  const pixelNs = 2 ** Math.floor(Math.log2(askedPixelNs));
  if (eventCount < LEAST_EVENTS || (extent.toNs - extent.fromNs) / pixelNs > MOST_PIXELS) return null;
  return { pixelNs, rows: levelOf(indexed, pixelNs).map((slices) => cut(slices, fromNs, toNs)) };
}

function levelOf(indexed: IndexedTimeline, pixelNs: number): readonly RowSlices[] {
  const known = indexed.levels.get(pixelNs);
  if (known !== undefined) return known;
  const { rows, timeline, overview } = indexed;
  const { fromNs, toNs } = overview.extent;
  const level = rows.map((row) => sliceRow(row, timeline.events, fromNs, toNs + 1, pixelNs));
  const [oldest] = indexed.levels.keys();
  if (indexed.levels.size >= MOST_LEVELS && oldest !== undefined) indexed.levels.delete(oldest);
  indexed.levels.set(pixelNs, level);
  return level;
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
