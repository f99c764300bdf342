import type { MemoryCurve } from "../columns/columns.js";
import { firstAtLeast } from "../columns/eventRows.js";

/**
 * A memory curve at the resolution of the screen. Between `timeNs[i]` and the next time the curve stays within
 * `[lowBytes[i], highBytes[i]]` and ends at `lastBytes[i]`; where no changes were merged the three are equal.
 */
export interface MemorySlices {
  readonly timeNs: Float64Array;
  readonly lowBytes: Float64Array;
  readonly highBytes: Float64Array;
  readonly lastBytes: Float64Array;
}

/** Changes of `curve` in `[fromNs, toNs)`, merged on a grid of `pixelNs` from time 0; peaks survive as `highBytes`. */
export function sliceMemory(curve: MemoryCurve, fromNs: number, toNs: number, pixelNs: number): MemorySlices {
  const times: number[] = [];
  const lows: number[] = [];
  const highs: number[] = [];
  const lasts: number[] = [];
  // The change before the span gives the value at its left edge.
  let at = Math.max(0, firstAtLeast(curve.timeNs, fromNs) - 1);
  const stop = firstAtLeast(curve.timeNs, toNs, at);
  while (at < stop) {
    const timeNs = curve.timeNs[at] ?? 0;
    const after = Math.min(stop, firstAtLeast(curve.timeNs, (Math.floor(timeNs / pixelNs) + 1) * pixelNs, at + 1));
    const merged = rangeOf(curve.bytes, at, after);
    times.push(timeNs);
    lows.push(merged.low);
    highs.push(merged.high);
    lasts.push(curve.bytes[after - 1] ?? 0);
    at = after;
  }
  return {
    timeNs: Float64Array.from(times),
    lowBytes: Float64Array.from(lows),
    highBytes: Float64Array.from(highs),
    lastBytes: Float64Array.from(lasts),
  };
}

/** Value of the curve at a time; 0 before the first change. */
export function bytesAt(curve: MemoryCurve, timeNs: number): number {
  let at = firstAtLeast(curve.timeNs, timeNs);
  // Of several changes at the same time the last one counts.
  while (at < curve.timeNs.length && curve.timeNs[at] === timeNs) at++;
  return at === 0 ? 0 : (curve.bytes[at - 1] ?? 0);
}

/** Largest value of the curve and when it was first reached; undefined for an empty curve. */
export function peakOf(curve: MemoryCurve): { readonly bytes: number; readonly timeNs: number } | undefined {
  if (curve.bytes.length === 0) return undefined;
  let best = 0;
  for (let at = 1; at < curve.bytes.length; at++) if ((curve.bytes[at] ?? 0) > (curve.bytes[best] ?? 0)) best = at;
  return { bytes: curve.bytes[best] ?? 0, timeNs: curve.timeNs[best] ?? 0 };
}

function rangeOf(bytes: Float64Array, from: number, to: number): { low: number; high: number } {
  let low = bytes[from] ?? 0;
  let high = low;
  for (let at = from + 1; at < to; at++) {
    low = Math.min(low, bytes[at] ?? 0);
    high = Math.max(high, bytes[at] ?? 0);
  }
  return { low, high };
}
