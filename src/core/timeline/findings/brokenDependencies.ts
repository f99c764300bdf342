import { formatNs } from "../../base/quantities.js";
import { EventKind } from "../columns/eventKind.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { endOf, findingEvents } from "./findingEvents.js";

const MOST_LISTED = 20;

/**
 * Events that begin before what they depend on has ended, where the recorder wrote dependencies: a buffer that is used again
 * before the event that guards it, a reload before its offload. Waits are what holds others back: they may begin earlier.
 */
export function findBrokenDependencies({ timeline }: IndexedTimeline): Finding[] {
  const { events, strings } = timeline;
  const broken: number[] = [];
  for (let at = 0; at < events.startNs.length; at++) {
    const other = events.dependsOn[at] ?? -1;
    const kind = events.kind[at];
    if (other < 0 || kind === EventKind.hostWait || kind === EventKind.streamWait) continue;
    const isHost = timeline.lanes[events.lane[at] ?? 0]?.role === "host";
    // What the host does by itself waits inside: reading a value of the device begins before the value is there.
    const reachedNs = isHost ? endOf(timeline, at) : (events.startNs[at] ?? 0);
    if (reachedNs < endOf(timeline, other)) broken.push(at);
  }
  return broken.slice(0, MOST_LISTED).map((event) => {
    const other = events.dependsOn[event] ?? 0;
    const earlyNs = endOf(timeline, other) - (events.startNs[event] ?? 0);
    const [name, needed] = [strings[events.name[event] ?? 0] ?? "", strings[events.name[other] ?? 0] ?? ""];
    return {
      code: "REUSE_BEFORE_EVENT",
      severity: "error",
      message: `${name} begins ${formatNs(earlyNs)} before ${needed} has ended, which it depends on.`,
      explanation:
        "Memory is used again before the event that guards it: the values that are read or copied may be wrong. The stream or the host has to wait for that event first.",
      events: findingEvents(timeline, [other, event]),
      eventCount: broken.length,
      arrow: { from: other, to: event },
      costNs: null,
      configKeys: [],
      device: timeline.lanes[events.lane[event] ?? 0]?.device ?? null,
    };
  });
}
