import type { SweepPoint } from "./points.js";

/** Differences below this share of a time are less than what a simulation knows. */
const SAME_TIME = 0.002;

/**
 * Indices of the points that no other beats in both peak memory and time per sequence, by rising peak. Of points that are equal
 * in both, the first stands for all.
 */
export function paretoFront(points: readonly SweepPoint[]): readonly number[] {
  const order = points
    .map((_, index) => index)
    .sort((left, right) => comparePoints(points[left], points[right]) || left - right);
  const front: number[] = [];
  let fastest = Number.POSITIVE_INFINITY;
  for (const index of order) {
    const time = points[index]?.msPerSequence ?? Number.POSITIVE_INFINITY;
    if (time >= fastest) continue;
    fastest = time;
    front.push(index);
  }
  return front;
}

function comparePoints(left: SweepPoint | undefined, right: SweepPoint | undefined): number {
  if (left === undefined || right === undefined) return 0;
  return left.peakBytes - right.peakBytes || left.msPerSequence - right.msPerSequence;
}

/**
 * The point to choose: of those that fit, the fastest; of those as fast as it (within what the simulation can tell apart), the one
 * with fewest moving parts, then the lowest peak, then the fewest pinned bytes. `undefined` when nothing fits.
 */
export function bestPoint(points: readonly SweepPoint[]): number | undefined {
  const fitting = points.map((_, index) => index).filter((index) => points[index]?.fits === true);
  const fastest = Math.min(...fitting.map((index) => points[index]?.msPerSequence ?? Number.POSITIVE_INFINITY));
  const equal = fitting.filter(
    (index) => (points[index]?.msPerSequence ?? Number.POSITIVE_INFINITY) <= fastest * (1 + SAME_TIME),
  );
  return equal.sort((left, right) => compareParts(points[left], points[right]) || left - right)[0];
}

function compareParts(left: SweepPoint | undefined, right: SweepPoint | undefined): number {
  if (left === undefined || right === undefined) return 0;
  return partsOf(left) - partsOf(right) || left.peakBytes - right.peakBytes || left.pinnedBytes - right.pinnedBytes;
}

function partsOf({ strategy, gradientCheckpointing }: SweepPoint): number {
  return (strategy === "none" ? 0 : 2) + (gradientCheckpointing ? 1 : 0);
}
