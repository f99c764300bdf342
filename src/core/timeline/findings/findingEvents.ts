import type { Timeline } from "../columns/columns.js";
import { type FindingEvent, MAX_FINDING_EVENTS } from "../query/finding.js";

/** The first events of a list as a finding names them. */
export function findingEvents(timeline: Timeline, listed: readonly number[]): FindingEvent[] {
  const { events, lanes, strings } = timeline;
  return listed.slice(0, MAX_FINDING_EVENTS).map((event) => ({
    event,
    name: strings[events.name[event] ?? 0] ?? "",
    stream: lanes[events.lane[event] ?? 0]?.stream ?? "",
    startNs: events.startNs[event] ?? 0,
    durationNs: events.durationNs[event] ?? 0,
  }));
}

/** End of an event, ns. */
export function endOf({ events }: Timeline, event: number): number {
  return (events.startNs[event] ?? 0) + (events.durationNs[event] ?? 0);
}
