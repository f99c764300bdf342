import type { EventColumns, Timeline, TimelineLane } from "../../../src/core/timeline/columns/columns.js";
import { EventKind, type EventKindValue } from "../../../src/core/timeline/columns/eventKind.js";

/** One event as an object, for tests and samples only. */
export interface SampleEvent {
  readonly lane: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly name?: string;
  readonly layer?: number;
  readonly bytes?: number;
  readonly kind?: EventKindValue;
  /** Another event of the same list. */
  readonly dependsOn?: SampleEvent;
}

export const FOUR_LANES: readonly TimelineLane[] = [
  { role: "compute", stream: "compute" },
  { role: "d2h", stream: "offload" },
  { role: "h2d", stream: "onload" },
  { role: "host", stream: "host" },
];

const KIND_OF_ROLE = {
  compute: EventKind.kernel,
  d2h: EventKind.copyD2H,
  h2d: EventKind.copyH2D,
  d2d: EventKind.copyD2D,
  collective: EventKind.collective,
  annotation: EventKind.annotation,
  host: EventKind.hostWait,
} as const;

/** Sorts events as the columns promise and turns them into a timeline without memory curves. */
export function timelineOf(samples: readonly SampleEvent[], lanes: readonly TimelineLane[] = FOUR_LANES): Timeline {
  const sorted = [...samples].sort((a, b) => a.startNs - b.startNs || b.durationNs - a.durationNs);
  const position = new Map(sorted.map((event, at) => [event, at]));
  const strings: string[] = [];
  const numbers = new Map<string, number>();
  const intern = (name: string) => {
    const number = numbers.get(name) ?? strings.push(name) - 1;
    numbers.set(name, number);
    return number;
  };
  const events: EventColumns = {
    startNs: Float64Array.from(sorted, (event) => event.startNs),
    durationNs: Float64Array.from(sorted, (event) => event.durationNs),
    lane: Uint32Array.from(sorted, (event) => event.lane),
    name: Uint32Array.from(sorted, (event) => intern(event.name ?? "event")),
    layer: Int32Array.from(sorted, (event) => event.layer ?? -1),
    bytes: Float64Array.from(sorted, (event) => event.bytes ?? 0),
    kind: Uint8Array.from(sorted, (event) => event.kind ?? KIND_OF_ROLE[lanes[event.lane]?.role ?? "host"]),
    dependsOn: Int32Array.from(sorted, (event) =>
      event.dependsOn === undefined ? -1 : (position.get(event.dependsOn) ?? -1),
    ),
  };
  return { lanes, strings, events, memory: [], spans: [] };
}
