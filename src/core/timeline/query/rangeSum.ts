import { firstAtLeast } from "../columns/eventRows.js";
import type { LaneRole } from "../columns/laneRoles.js";
import type { MeasureScope } from "../metrics/metrics.js";
import { analyse } from "./analysis.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import type { RangeSum, RoleSum } from "./protocol.js";

/** Metrics, roles, layers and causes of idle time of `[fromNs, toNs)`, events cut at its edges; of one device or of all. */
export function sumRange(indexed: IndexedTimeline, fromNs: number, toNs: number, device?: number): RangeSum {
  const scope = { ...scopeOf(indexed, fromNs, toNs), ...(device === undefined ? {} : { device }) };
  return { fromNs, toNs, roles: roleSums(indexed, fromNs, toNs), ...analyse(indexed, scope) };
}

/** The part of a timeline between two times, without looking at the events before it. */
export function scopeOf({ timeline, longestMeasuredNs }: IndexedTimeline, fromNs: number, toNs: number): MeasureScope {
  const firstEvent = firstAtLeast(timeline.events.startNs, fromNs - longestMeasuredNs);
  return { range: { fromNs, toNs }, firstEvent };
}

function roleSums({ timeline }: IndexedTimeline, fromNs: number, toNs: number): RoleSum[] {
  const { events, lanes } = timeline;
  const sums = new Map<LaneRole, { count: number; bytes: number; durationNs: number }>();
  for (let at = 0; at < events.startNs.length; at++) {
    const startNs = events.startNs[at] ?? 0;
    if (startNs >= toNs) break;
    const endNs = startNs + (events.durationNs[at] ?? 0);
    if (endNs <= fromNs && startNs < fromNs) continue;
    const role = lanes[events.lane[at] ?? 0]?.role ?? "host";
    const sum = sums.get(role) ?? { count: 0, bytes: 0, durationNs: 0 };
    sum.count++;
    const bytes = events.bytes[at] ?? 0;
    if (!Number.isNaN(bytes)) sum.bytes += bytes;
    sum.durationNs += Math.min(endNs, toNs) - Math.max(startNs, fromNs);
    sums.set(role, sum);
  }
  return [...sums].map(([role, sum]) => ({ role, ...sum }));
}
