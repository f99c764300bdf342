import { NO_OFFLOAD } from "../profile/strategies.js";
import type { SweepPoint } from "./points.js";
import type { SweepResult } from "./runSweep.js";

/** One row of the table of a sweep: points that are equal in every figure, so that only what was asked for tells them apart. */
export interface SweepRow {
  /** Index of the point that stands for all: the choice, else one of the front, else the first. */
  readonly index: number;
  readonly point: SweepPoint;
  readonly indices: readonly number[];
  /** Of `indices`; empty for strategies that select nothing. */
  readonly patternSets: readonly NonNullable<SweepPoint["patternSet"]>[];
  /** GiB, e.g. `0.25, 4`; empty for strategies without a cache. */
  readonly cacheLimitsGib: string;
  /** An offload that found nothing to copy. */
  readonly movesNothing: boolean;
  readonly mark: "choice" | "front" | "too large" | "";
}

/** The rows of a sweep: what fits first, each part by time per sequence. */
export function sweepRows({
  points,
  front,
  best,
}: Pick<SweepResult, "points" | "front" | "best">): readonly SweepRow[] {
  const groups = new Map<string, number[]>();
  for (const [index, point] of points.entries()) {
    const key = keyOf(point);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const rows = [...groups.values()].flatMap((indices) => {
    const index = indices.find((each) => each === best) ?? indices.find((each) => front.includes(each)) ?? indices[0];
    const point = index === undefined ? undefined : points[index];
    if (index === undefined || point === undefined) return [];
    const members = indices.flatMap((each) => points[each] ?? []);
    return [
      {
        index,
        point,
        indices,
        patternSets: [...new Set(members.flatMap(({ patternSet }) => patternSet ?? []))],
        cacheLimitsGib: [...new Set(members.flatMap(({ cacheLimitGb }) => cacheLimitGb ?? []))]
          .sort((a, b) => a - b)
          .join(", "),
        movesNothing: point.strategy !== NO_OFFLOAD && point.hiddenShare === null && point.pinnedBytes === 0,
        mark: index === best ? "choice" : !point.fits ? "too large" : front.includes(index) ? "front" : "",
      } as const,
    ];
  });
  return rows.sort(
    (left, right) =>
      Number(right.point.fits) - Number(left.point.fits) || left.point.msPerSequence - right.point.msPerSequence,
  );
}

/** Everything of a point but the layers and the cache that were asked for. */
function keyOf({ patternSet: _set, patterns: _patterns, cacheLimitGb: _limit, ...rest }: SweepPoint): string {
  return JSON.stringify(Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1)));
}
