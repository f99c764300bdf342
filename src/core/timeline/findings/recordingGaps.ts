import { formatShare, grouped } from "../../base/quantities.js";
import { EventKind, FlowKind } from "../columns/columns.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

const LAUNCH = /^(cuda|hip)LaunchKernel|^cuLaunchKernel|^(cuda|hip)Memcpy\w*Async|^(cuda|hip)MemsetAsync/;

/**
 * Launches whose device work is missing. The profiler itself drops kernels when its buffers overflow or while it starts: then
 * every sum of the device is too small.
 */
export function findRecordingGaps({ timeline }: IndexedTimeline): Finding[] {
  const { events, strings, flows } = timeline;
  if (flows === undefined || flows.from.length === 0) return [];
  const isLaunch = strings.map((name) => LAUNCH.test(name));
  const hasWork = new Uint8Array(events.startNs.length);
  for (let at = 0; at < flows.from.length; at++)
    if (flows.kind[at] === FlowKind.launch) hasWork[flows.from[at] ?? 0] = 1;
  const missing: number[] = [];
  let launches = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    if (events.kind[at] !== EventKind.runtimeCall || isLaunch[events.name[at] ?? 0] !== true) continue;
    launches++;
    if (hasWork[at] === 0) missing.push(at);
  }
  if (missing.length === 0 || missing.length === launches) return [];
  return [
    {
      code: "LAUNCHES_WITHOUT_WORK",
      severity: "information",
      message: `${grouped(missing.length)} of ${grouped(launches)} launches (${formatShare(missing.length / launches)}) have no work on the device in this recording.`,
      explanation:
        "The profiler dropped it, or the recording ended first. Sums of the device are too small by that much; record a step after two or three warm-up steps of the profiler.",
      events: findingEvents(timeline, missing),
      eventCount: missing.length,
      arrow: null,
      costNs: null,
      configKeys: [],
      device: null,
    },
  ];
}
