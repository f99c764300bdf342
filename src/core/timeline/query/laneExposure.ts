import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { type Intervals, subtract, totalNs, UnionBuilder } from "../columns/intervals.js";
import { Work, workOf } from "../columns/laneWork.js";
import { thinnedIntervals } from "./thinned.js";

/** Where the copies of one lane ran without compute beside them. */
export interface LaneExposure {
  /**
   * Length of all of it, ns. Time in which copies of several lanes are exposed counts on each of them, and once in the metrics
   * of the role.
   */
  readonly exposedNs: number;
  /** For drawing: of very many, neighbours are joined. */
  readonly intervals: Intervals;
}

/** Exposed copy time by lane; null for lanes without copies between host and device. `computeBeside` says what hides them. */
export function exposureOfLanes(
  { events, lanes }: Pick<Timeline, "events" | "lanes">,
  computeBeside: (device: number | undefined) => Intervals,
): (LaneExposure | null)[] {
  const unions = new Map<number, UnionBuilder>();
  for (let at = 0; at < events.kind.length; at++) {
    if (workOf(events.kind[at] ?? EventKind.other) !== Work.copy) continue;
    const lane = events.lane[at] ?? 0;
    const union = unions.get(lane) ?? new UnionBuilder();
    unions.set(lane, union);
    const startNs = events.startNs[at] ?? 0;
    union.add(startNs, startNs + (events.durationNs[at] ?? 0));
  }
  return lanes.map(({ device }, lane) => {
    const union = unions.get(lane);
    if (union === undefined) return null;
    const intervals = subtract(union.build(), computeBeside(device));
    return { exposedNs: totalNs(intervals), intervals: thinnedIntervals(intervals) };
  });
}
