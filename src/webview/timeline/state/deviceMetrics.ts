import type { TimelineMetrics } from "../../../core/timeline/metrics/metrics.js";
import type { TimelineOverview } from "../../../core/timeline/query/protocol.js";

/** What was measured on a device; of the only one, or where a lane belongs to none, on all. */
export function deviceMetrics(overview: TimelineOverview, device: number | null): TimelineMetrics {
  const at = overview.devices.findIndex((one) => one.device === device);
  return overview.perDevice[at] ?? overview.metrics;
}
