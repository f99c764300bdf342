import type { MemoryCurve } from "../columns/columns.js";
import { firstAtLeast } from "../columns/eventRows.js";
import { type PartSlices, sliceParts } from "./partSlices.js";

/**
 * A memory curve at the resolution of the screen. Between `timeNs[i]` and the next time the curve stays within
 * `[lowBytes[i], highBytes[i]]` and ends at `lastBytes[i]`; where no changes were merged the three are equal.
 */
export interface MemorySlices {
  readonly timeNs: Float64Array;
  readonly lowBytes: Float64Array;
  readonly highBytes: Float64Array;
  readonly lastBytes: Float64Array;
  /** What the bytes are for, bottom to top, where the curve knows it. */
  readonly parts?: readonly PartSlices[];
}

/** Changes of `curve` in `[fromNs, toNs)`, merged on a grid of `pixelNs` from time 0; peaks survive as `highBytes`. */
export function sliceMemory(curve: MemoryCurve, fromNs: number, toNs: number, pixelNs: number): MemorySlices {
  const times: number[] = [];
  const lows: number[] = [];
  const highs: number[] = [];
  const lasts: number[] = [];
  const highAt: number[] = [];
  const lastAt: number[] = [];
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
    highAt.push(merged.highAt);
    lastAt.push(after - 1);
    at = after;
  }
  return {
    timeNs: Float64Array.from(times),
    lowBytes: Float64Array.from(lows),
    highBytes: Float64Array.from(highs),
    lastBytes: Float64Array.from(lasts),
    ...(curve.parts === undefined ? {} : { parts: sliceParts(curve.parts, highAt, lastAt) }),
  };
}

/** Value of the curve at a time; 0 before the first change. */
export function bytesAt(curve: MemoryCurve, timeNs: number): number {
  return curve.bytes[sliceAt(curve.timeNs, timeNs)] ?? 0;
}

/** The last of the ascending times that is not after `timeNs`; -1 before the first. */
export function sliceAt(timesNs: Float64Array, timeNs: number): number {
  let at = firstAtLeast(timesNs, timeNs);
  // Of several changes at the same time the last one counts.
  while (at < timesNs.length && timesNs[at] === timeNs) at++;
  return at - 1;
}

/** Largest value of the curve, and the time and number of the change that first reached it; undefined for an empty curve. */
export function peakOf(
  curve: MemoryCurve,
): { readonly bytes: number; readonly timeNs: number; readonly change: number } | undefined {
  if (curve.bytes.length === 0) return undefined;
  let best = 0;
  for (let at = 1; at < curve.bytes.length; at++) if ((curve.bytes[at] ?? 0) > (curve.bytes[best] ?? 0)) best = at;
  return { bytes: curve.bytes[best] ?? 0, timeNs: curve.timeNs[best] ?? 0, change: best };
}

/** `highAt`: the last change that reaches the highest value, after which parts add up to it. */
function rangeOf(bytes: Float64Array, from: number, to: number): { low: number; high: number; highAt: number } {
  let low = bytes[from] ?? 0;
  let high = low;
  let highAt = from;
  for (let at = from + 1; at < to; at++) {
    const value = bytes[at] ?? 0;
    low = Math.min(low, value);
    if (value < high) continue;
    high = value;
    highAt = at;
  }
  return { low, high, highAt };
}
