import type { IdleSplit } from "./analysisTypes.js";
import type { Timeline } from "./columns.js";
import { measureTimeline } from "./metrics.js";

/** Splits the time in which nothing ran on the device by what it waited for. */
export function splitIdle(timeline: Timeline): IdleSplit {
  const { idleNs } = measureTimeline(timeline).metrics;
  return { idleNs, hostLateNs: 0, copyWaitNs: 0, collectiveWaitNs: 0, otherNs: idleNs };
}
