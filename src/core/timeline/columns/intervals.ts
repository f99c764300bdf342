/** Disjoint half-open intervals `[startNs[i], endNs[i])`, ascending; none is empty. */
export interface Intervals {
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
}

/** Room at first; it doubles when it is used up. */
const FIRST_ROOM = 64;

/** Intervals under construction; `add` must be called with ascending starts. */
export class UnionBuilder {
  // Columns that grow: a list of a million numbers would be copied element by element in the end.
  private starts = new Float64Array(FIRST_ROOM);
  private ends = new Float64Array(FIRST_ROOM);
  private length = 0;
  private lastEndNs = -Infinity;

  /** Adds `[startNs, endNs)`; what touches or overlaps the last interval extends it, what is empty adds nothing. */
  add(startNs: number, endNs: number): void {
    if (!(endNs > startNs)) return;
    if (startNs <= this.lastEndNs) {
      if (endNs <= this.lastEndNs) return;
    } else {
      if (this.length === this.starts.length) this.grow();
      this.starts[this.length] = startNs;
      this.length++;
    }
    this.ends[this.length - 1] = endNs;
    this.lastEndNs = endNs;
  }

  build(): Intervals {
    return { startNs: this.starts.slice(0, this.length), endNs: this.ends.slice(0, this.length) };
  }

  private grow(): void {
    this.starts = doubled(this.starts);
    this.ends = doubled(this.ends);
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}

/** Sum of the lengths. */
export function totalNs(intervals: Intervals): number {
  let total = 0;
  for (let at = 0; at < intervals.startNs.length; at++) total += lengthAt(intervals, at);
  return total;
}

/** The part of `from` that lies under `cover`. Linear in both. */
export function intersect(from: Intervals, cover: Intervals): Intervals {
  const both = new UnionBuilder();
  let left = 0;
  let right = 0;
  while (left < from.startNs.length && right < cover.startNs.length) {
    const leftEnd = from.endNs[left] ?? 0;
    const rightEnd = cover.endNs[right] ?? 0;
    both.add(Math.max(from.startNs[left] ?? 0, cover.startNs[right] ?? 0), Math.min(leftEnd, rightEnd));
    if (leftEnd <= rightEnd) left++;
    else right++;
  }
  return both.build();
}

/** How much of `[startNs, endNs)` lies under `cover`. Logarithmic in the intervals before it. */
export function coveredNs(cover: Intervals, startNs: number, endNs: number): number {
  const { startNs: starts, endNs: ends } = cover;
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) < startNs) low = middle + 1;
    else high = middle;
  }
  let covered = 0;
  for (let at = low; at < starts.length && (starts[at] ?? 0) < endNs; at++)
    covered += Math.max(0, Math.min(endNs, ends[at] ?? 0) - Math.max(startNs, starts[at] ?? 0));
  return covered;
}

/** The part of `from` that lies outside `cover`. Linear in both. */
export function subtract(from: Intervals, cover: Intervals): Intervals {
  const rest = new UnionBuilder();
  let right = 0;
  for (let left = 0; left < from.startNs.length; left++) {
    let cursor = from.startNs[left] ?? 0;
    const end = from.endNs[left] ?? 0;
    while (right < cover.startNs.length && (cover.endNs[right] ?? 0) <= cursor) right++;
    for (let at = right; at < cover.startNs.length && (cover.startNs[at] ?? 0) < end; at++) {
      rest.add(cursor, cover.startNs[at] ?? 0);
      cursor = Math.max(cursor, cover.endNs[at] ?? 0);
    }
    rest.add(cursor, end);
  }
  return rest.build();
}

function lengthAt(intervals: Intervals, at: number): number {
  return (intervals.endNs[at] ?? 0) - (intervals.startNs[at] ?? 0);
}
