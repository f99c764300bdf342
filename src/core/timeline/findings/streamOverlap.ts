import { EventKind } from "../columns.js";
import type { Finding } from "../finding.js";
import { streamNumbers } from "../import/overlaps.js";
import type { IndexedTimeline } from "../indexedTimeline.js";
import { runsOnDevice } from "../metrics.js";
import { grouped } from "../quantities.js";
import { endOf, findingEvents } from "./findingEvents.js";

/** Work of one stream that overlaps: a stream does one thing after the other, so the times or the streams are wrong. */
export function findStreamOverlap({ timeline }: IndexedTimeline): Finding[] {
  const { events, lanes } = timeline;
  const streamOf = streamNumbers(lanes);
  const lastOf = new Int32Array(lanes.length).fill(-1);
  const pairs: number[] = [];
  let count = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    const stream = streamOf[events.lane[at] ?? 0] ?? 0;
    const last = lastOf[stream] ?? -1;
    if (last >= 0 && (events.startNs[at] ?? 0) < endOf(timeline, last)) {
      count++;
      if (pairs.length < 16) pairs.push(last, at);
    }
    if (last < 0 || endOf(timeline, at) > endOf(timeline, last)) lastOf[stream] = at;
  }
  const [from, to] = pairs;
  if (from === undefined || to === undefined) return [];
  return [
    {
      code: "OVERLAP_IN_STREAM",
      severity: "error",
      message: `${grouped(count)} pieces of work begin before an earlier one of the same stream has ended.`,
      explanation:
        "A stream does one thing after the other. Either the recording has wrong times, or several streams were written under one number; all metrics count the overlap once.",
      events: findingEvents(timeline, pairs),
      eventCount: count,
      arrow: { from, to },
      costNs: null,
      configKeys: [],
      device: lanes[events.lane[to] ?? 0]?.device ?? null,
    },
  ];
}
