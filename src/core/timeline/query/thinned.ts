import type { Intervals } from "../columns/intervals.js";
import type { LayerBand } from "../layers/layerBand.js";

/** What goes to the page at once has bounds: no screen tells more pieces apart, and a file can have millions. */
const MOST_PIECES = 200_000;

/** The same intervals; where there are too many, neighbours closer than a grid are joined. For drawing, not for sums. */
export function thinnedIntervals(intervals: Intervals): Intervals {
  const { startNs, endNs } = intervals;
  if (startNs.length <= MOST_PIECES) return intervals;
  const gridNs = ((endNs.at(-1) ?? 0) - (startNs[0] ?? 0)) / MOST_PIECES;
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < startNs.length; at++) {
    const last = ends.length - 1;
    if (last >= 0 && (startNs[at] ?? 0) - (starts[last] ?? 0) < gridNs) ends[last] = endNs[at] ?? 0;
    else {
      starts.push(startNs[at] ?? 0);
      ends.push(endNs[at] ?? 0);
    }
  }
  return { startNs: Float64Array.from(starts), endNs: Float64Array.from(ends) };
}

/** The same band; where there are too many stretches, those shorter than a grid are left out. */
export function thinnedBand(band: LayerBand): LayerBand {
  const { startNs, endNs, layer } = band;
  if (startNs.length <= MOST_PIECES) return band;
  const gridNs = ((endNs.at(-1) ?? 0) - (startNs[0] ?? 0)) / MOST_PIECES;
  const kept = Uint32Array.from(startNs.keys()).filter((at) => (endNs[at] ?? 0) - (startNs[at] ?? 0) >= gridNs);
  return {
    startNs: Float64Array.from(kept, (at) => startNs[at] ?? 0),
    endNs: Float64Array.from(kept, (at) => endNs[at] ?? 0),
    layer: Int32Array.from(kept, (at) => layer[at] ?? -1),
  };
}
