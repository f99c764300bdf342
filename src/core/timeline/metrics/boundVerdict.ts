import { formatNs, formatShare } from "../../base/quantities.js";
import type { BoundVerdict, IdleSplit } from "./analysisTypes.js";
import type { TimelineMetrics } from "./metrics.js";

/**
 * What limits the step, from busy times. With perfect overlap a step cannot be shorter than the busiest of its resources:
 * compute, the link in either direction (PCIe and NVLink-C2C carry both at once), and collectives.
 */
export function judgeBound(metrics: TimelineMetrics, idle: IdleSplit): BoundVerdict {
  const { computeBusyNs, d2h, h2d, copiesAny, collective, spanNs } = metrics;
  const share = (ns: number) => (spanNs > 0 ? formatShare(ns / spanNs) : "0 %");
  const link = Math.max(d2h.busyNs, h2d.busyNs);
  const reasoning = [
    `Compute was busy for ${formatNs(computeBusyNs)} of ${formatNs(spanNs)} (${share(computeBusyNs)}).`,
    `Copies were busy for ${formatNs(copiesAny.busyNs)} (D2H ${formatNs(d2h.busyNs)}, H2D ${formatNs(h2d.busyNs)}); ${formatNs(copiesAny.hiddenNs)} of it under compute, ${formatNs(copiesAny.exposedNs)} exposed (${share(copiesAny.exposedNs)} of the span).`,
    `Nothing ran on the device for ${formatNs(idle.idleNs)} (${share(idle.idleNs)}), ${formatNs(idle.hostLateNs)} of it because the host launched late.`,
  ];
  const verdict = (kind: BoundVerdict["kind"], title: string, last: string): BoundVerdict => ({
    kind,
    title,
    reasoning: [...reasoning, last],
  });
  if (idle.hostLateNs > spanNs / 2)
    return verdict(
      "host-bound",
      "Host-bound",
      "More than half of the span the device waited for the host: neither copies nor kernels limit this step.",
    );
  if (collective.exposedNs > spanNs / 4)
    return verdict(
      "collective-bound",
      "Bound by collectives",
      `Collectives ran without compute beside them for ${formatNs(collective.exposedNs)} (${share(collective.exposedNs)}).`,
    );
  if (copiesAny.count === 0) return verdict("no-copies", "No copies", "No copy between device and host was recorded.");
  if (link > computeBusyNs || copiesAny.exposedNs + idle.copyWaitNs > spanNs / 4)
    return verdict(
      "copy-bound",
      "Copy-bound",
      `The link needs ${formatNs(link)} in its busier direction, compute ${formatNs(computeBusyNs)}: copies cannot all be hidden.`,
    );
  return verdict(
    "compute-bound",
    "Compute-bound",
    `The link needs ${formatNs(link)} in its busier direction, compute ${formatNs(computeBusyNs)}: there is room for ${(computeBusyNs / Math.max(link, 1)).toFixed(1)} times the copies.`,
  );
}
