import { MEMORY_PARTS, type MemoryPart } from "../../base/memoryParts.js";
import type { PartColumns } from "../columns/columns.js";

/** What one part holds at each of the changes that were asked for. */
export interface PartSlices {
  readonly what: MemoryPart;
  /** Where the whole curve is highest in each slice. */
  readonly highBytes: Float64Array;
  /** At the end of each slice. */
  readonly lastBytes: Float64Array;
}

/** Slices of all parts that hold anything at any time, in the order in which they are stacked; indexes of changes ascend. */
export function sliceParts(
  parts: PartColumns,
  highAt: readonly number[],
  lastAt: readonly number[],
): readonly PartSlices[] {
  const high = bytesAfter(parts, highAt);
  const last = bytesAfter(parts, lastAt);
  return stackedParts(parts).map(({ what, column }) => ({
    what,
    highBytes: high[column] ?? new Float64Array(),
    lastBytes: last[column] ?? new Float64Array(),
  }));
}

/** One part over the whole curve. */
export interface PartTotals {
  readonly what: MemoryPart;
  /** Where the curve has its peak. */
  readonly peakBytes: number;
  /** At any time. */
  readonly mostBytes: number;
}

/** All parts that hold anything at any time, in the order in which they are stacked; `peak` is the change that reached it. */
export function partTotals(parts: PartColumns, peak: number): readonly PartTotals[] {
  const atPeak = bytesAfter(parts, [peak]);
  return stackedParts(parts).map(({ what, column, mostBytes }) => ({
    what,
    peakBytes: atPeak[column]?.[0] ?? 0,
    mostBytes,
  }));
}

/** `column` counts in `names`. */
interface StackedPart {
  readonly what: MemoryPart;
  readonly column: number;
  readonly mostBytes: number;
}

const stacked = new WeakMap<PartColumns, readonly StackedPart[]>();

/** The parts that ever hold anything; remembered, because every view of a curve asks for them. */
function stackedParts(parts: PartColumns): readonly StackedPart[] {
  const known = stacked.get(parts);
  if (known !== undefined) return known;
  const most = mostBytesOf(parts);
  const found = MEMORY_PARTS.map((what) => ({ what, column: parts.names.indexOf(what) }))
    .map((part) => ({ ...part, mostBytes: most[part.column] ?? 0 }))
    .filter(({ mostBytes }) => mostBytes > 0);
  stacked.set(parts, found);
  return found;
}

/** Bytes of each part, in the order of `names`, after each of the ascending changes `at`. */
function bytesAfter(
  { names, startBytes, part, partBytes }: PartColumns,
  at: readonly number[],
): readonly Float64Array[] {
  const held = Float64Array.from(startBytes);
  const columns = names.map(() => new Float64Array(at.length));
  let next = 0;
  for (let change = 0; change < part.length && next < at.length; change++) {
    held[part[change] ?? 0] = partBytes[change] ?? 0;
    for (; at[next] === change; next++) for (const [each, column] of columns.entries()) column[next] = held[each] ?? 0;
  }
  return columns;
}

/** In the order of `names`. */
function mostBytesOf({ startBytes, part, partBytes }: PartColumns): readonly number[] {
  const most = [...startBytes];
  for (let change = 0; change < part.length; change++) {
    const which = part[change] ?? 0;
    most[which] = Math.max(most[which] ?? 0, partBytes[change] ?? 0);
  }
  return most;
}
