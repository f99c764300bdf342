import { counted } from "../../base/quantities.js";
import { EventKind } from "../columns/eventKind.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** A direction that has no figures: within the host. */
const WITHIN_HOST = /HtoH|H2H|host[ _]?to[ _]?host/i;

/** Copies of a device that do not say where they go, as Ascend's `MEMCPY_ASYNC`: "no copies" would be a statement that nobody can make. */
export function findUndirectedCopies({ timeline }: IndexedTimeline): Finding[] {
  const { events, lanes, strings } = timeline;
  const found: number[] = [];
  for (let at = 0; at < events.startNs.length; at++) {
    if (events.kind[at] !== EventKind.other || lanes[events.lane[at] ?? 0]?.role !== "d2d") continue;
    if (!WITHIN_HOST.test(strings[events.name[at] ?? 0] ?? "")) found.push(at);
  }
  if (found.length === 0) return [];
  const [verb, count] = found.length === 1 ? ["does", "counts"] : ["do", "count"];
  return [
    {
      code: "COPIES_WITHOUT_DIRECTION",
      severity: "information",
      message: `${counted(found.length, "copy", "copies")} ${verb} not say in which direction: there may be more copies between host and device than the figures hold.`,
      explanation: `Neither the name nor the type of the task says it, as in traces of Ascend. What has no direction ${count} in no figure; the lane "Device to device" shows it.`,
      events: findingEvents(timeline, found),
      eventCount: found.length,
      arrow: null,
      costNs: null,
      configKeys: [],
      device: null,
    },
  ];
}
