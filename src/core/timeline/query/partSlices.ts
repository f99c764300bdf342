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
  const high = partsAt(parts, highAt);
  const last = partsAt(parts, lastAt);
  return MEMORY_PARTS.flatMap((what) => {
    const highBytes = high.get(what);
    const lastBytes = last.get(what);
    return highBytes === undefined || lastBytes === undefined ? [] : [{ what, highBytes, lastBytes }];
  });
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
  const most = mostBytesOf(parts);
  return sliceParts(parts, [peak], [peak]).map(({ what, lastBytes }) => ({
    what,
    peakBytes: lastBytes[0] ?? 0,
    mostBytes: most[parts.names.indexOf(what)] ?? 0,
  }));
}

/** Bytes of each part that holds anything at any time, after each of the ascending changes `at`. */
function partsAt(parts: PartColumns, at: readonly number[]): ReadonlyMap<MemoryPart, Float64Array> {
  const { names, part, partBytes } = parts;
  const held = Float64Array.from(parts.startBytes);
  const columns = names.map(() => new Float64Array(at.length));
  let next = 0;
  for (let change = 0; change < part.length && next < at.length; change++) {
    held[part[change] ?? 0] = partBytes[change] ?? 0;
    for (; at[next] === change; next++)
      for (let each = 0; each < columns.length; each++) {
        const column = columns[each];
        if (column !== undefined) column[next] = held[each] ?? 0;
      }
  }
  const most = mostBytesOf(parts);
  const used = names.flatMap((name, each): [MemoryPart, Float64Array][] => {
    const column = columns[each];
    return column === undefined || (most[each] ?? 0) === 0 ? [] : [[name, column]];
  });
  return new Map(used);
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
