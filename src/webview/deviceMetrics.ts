import type { TimelineMetrics } from "../core/timeline/metrics.js";
import type { TimelineOverview } from "../core/timeline/protocol.js";

/** What was measured on a device; of the only one, or where a lane belongs to none, on all. */
export function deviceMetrics(
  overview: TimelineOverview,
  device: number | null,
): { readonly metrics: TimelineMetrics; readonly exposed: TimelineOverview["exposed"] } {
  const at = overview.devices.findIndex((one) => one.device === device);
  return {
    metrics: overview.perDevice[at] ?? overview.metrics,
    exposed: overview.exposedPerDevice[at] ?? overview.exposed,
  };
}
