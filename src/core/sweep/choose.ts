import { NO_OFFLOAD } from "../profile/strategies.js";
import type { SweepPoint } from "./points.js";

/**
 * Points whose times differ by less than this share are chosen among by other things. It orders settings of one simulation, whose
 * errors are alike; whether one is faster than another for people is asked of `trendOf`.
 */
export const SAME_TIME = 0.002;

/**
 * Indices of the points to choose under every budget there is, by rising peak: what `bestPoint` gives when just that much memory
 * is there. So the choice under a budget is always among them, and no point with a lower or equal peak is faster by more than the
 * simulation can tell apart. Of points that are equal in all that counts, the first stands for all.
 */
export function paretoFront(points: readonly SweepPoint[]): readonly number[] {
  const front = new Set<number>();
  const byPeak = points
    .map((point, index) => ({ point, index }))
    .sort((left, right) => left.point.peakBytes - right.point.peakBytes);
  for (const [place, { point }] of byPeak.entries()) {
    if (byPeak[place + 1]?.point.peakBytes === point.peakBytes) continue;
    const chosen = chooseFrom(byPeak.slice(0, place + 1));
    if (chosen !== undefined) front.add(chosen);
  }
  return byPeak.map(({ index }) => index).filter((index) => front.has(index));
}

/**
 * The point to choose: of those that fit, the fastest per sequence; of those as fast as it (within what the simulation can tell
 * apart), the one with fewest moving parts, then the lowest peak, the fewest pinned bytes, the fewest patterns and the smallest
 * cache limit. `undefined` when nothing fits.
 */
export function bestPoint(points: readonly SweepPoint[]): number | undefined {
  return chooseFrom(points.map((point, index) => ({ point, index })).filter(({ point }) => point.fits));
}

interface Candidate {
  readonly point: SweepPoint;
  readonly index: number;
}

function chooseFrom(candidates: readonly Candidate[]): number | undefined {
  const fastest = candidates.reduce(
    (least, { point }) => Math.min(least, point.msPerSequence),
    Number.POSITIVE_INFINITY,
  );
  const equal = candidates.filter(({ point }) => point.msPerSequence <= fastest * (1 + SAME_TIME));
  return equal.sort((left, right) => compareParts(left.point, right.point) || left.index - right.index)[0]?.index;
}

function compareParts(left: SweepPoint, right: SweepPoint): number {
  return (
    partsOf(left) - partsOf(right) ||
    left.peakBytes - right.peakBytes ||
    left.pinnedBytes - right.pinnedBytes ||
    (left.patterns?.length ?? 0) - (right.patterns?.length ?? 0) ||
    (left.cacheLimitGb ?? 0) - (right.cacheLimitGb ?? 0)
  );
}

function partsOf({ strategy, gradientCheckpointing }: SweepPoint): number {
  return (strategy === NO_OFFLOAD ? 0 : 2) + (gradientCheckpointing ? 1 : 0);
}
