import { grouped } from "../../base/quantities.js";
import { eachOverlap } from "../metrics/overlaps.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** Work of one stream that overlaps: a stream does one thing after the other, so the times or the streams are wrong. */
export function findStreamOverlap({ timeline }: IndexedTimeline): Finding[] {
  const pairs: number[] = [];
  let count = 0;
  eachOverlap(timeline, (earlier, event) => {
    count++;
    if (pairs.length < 16) pairs.push(earlier, event);
  });
  const [from, to] = pairs;
  if (from === undefined || to === undefined) return [];
  return [
    {
      code: "OVERLAP_IN_STREAM",
      severity: "error",
      message: `${count === 1 ? "1 piece of work begins" : `${grouped(count)} pieces of work begin`} before an earlier one of the same stream has ended.`,
      explanation:
        "A stream does one thing after the other. Either the recording has wrong times, or several streams were written under one number; all metrics count the overlap once.",
      events: findingEvents(timeline, pairs),
      eventCount: count,
      arrow: { from, to },
      costNs: null,
      configKeys: [],
      device: timeline.lanes[timeline.events.lane[to] ?? 0]?.device ?? null,
    },
  ];
}
