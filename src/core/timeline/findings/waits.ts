import { formatNs, formatShare } from "../../base/quantities.js";
import { EventKind } from "../columns/eventKind.js";
import { coveredNs } from "../columns/intervals.js";
import { idleOf } from "../metrics/idleSplit.js";
import type { TimelineMetrics } from "../metrics/metrics.js";
import type { Finding } from "../query/finding.js";
import { computeBeside, type IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** Shares of the span from which a cause is worth a line. */
const LEAST_EXPOSED = 0.01;
const LEAST_LATE = 0.1;

/** Where the time went: exposed copies per direction, exposed collectives, a host that is late. Each device for itself. */
export function findWaits(indexed: IndexedTimeline): Finding[] {
  const { devices, perDevice, metrics } = indexed.overview;
  const exposed =
    perDevice.length === 0
      ? exposedOn(indexed, metrics)
      : perDevice.flatMap((measured, at) => exposedOn(indexed, measured, devices[at]?.device));
  return [...exposed, ...hostLate(indexed)];
}

/** `device` is absent where there is only one. */
function exposedOn(indexed: IndexedTimeline, metrics: TimelineMetrics, device?: number): Finding[] {
  const { spanNs, d2h, h2d, collective } = metrics;
  if (spanNs <= 0) return [];
  const of = device === undefined ? "" : ` of GPU ${device}`;
  const share = (ns: number) => formatShare(ns / spanNs);
  const findings: Finding[] = [];
  if (d2h.exposedNs > spanNs * LEAST_EXPOSED)
    findings.push({
      ...basis(indexed, EventKind.copyD2H, device),
      code: "D2H_EXPOSED",
      message: `D2H copies${of} run without compute beside them for ${formatNs(d2h.exposedNs)} (${share(d2h.exposedNs)} of the span).`,
      explanation:
        "A copy is hidden as long as the layer after it computes longer than the copy takes. More tokens per step, fewer offloaded layers or a faster link help.",
      costNs: d2h.exposedNs,
      configKeys: ["activation_offload_modules", "enable_async_activation_offload"],
    });
  if (h2d.exposedNs > spanNs * LEAST_EXPOSED)
    findings.push({
      ...basis(indexed, EventKind.copyH2D, device),
      code: "H2D_EXPOSED",
      message: `H2D copies${of} run without compute beside them for ${formatNs(h2d.exposedNs)} (${share(h2d.exposedNs)} of the span).`,
      explanation:
        "A reload is hidden if it is prefetched early enough. The first reload of backward and layers that compute for a shorter time than the copy takes stay exposed.",
      costNs: h2d.exposedNs,
      configKeys: ["activation_offload_modules", "enable_async_activation_offload"],
    });
  if (collective.exposedNs > spanNs * LEAST_EXPOSED)
    findings.push({
      ...basis(indexed, EventKind.collective, device),
      code: "COLLECTIVE_EXPOSED",
      severity: "information",
      message: `Collectives${of} run without compute beside them for ${formatNs(collective.exposedNs)} (${share(collective.exposedNs)} of the span).`,
      explanation: "This is time that offload neither causes nor cures; ranks that wait for each other show it too.",
      costNs: collective.exposedNs,
      configKeys: [],
    });
  return findings;
}

function hostLate(indexed: IndexedTimeline): Finding[] {
  const { spanNs } = indexed.overview.metrics;
  const idle = idleOf(indexed);
  if (spanNs <= 0 || idle.hostLateNs < spanNs * LEAST_LATE) return [];
  return [
    {
      code: "HOST_LATE",
      severity: "information",
      message: `The device waits for the host for ${formatNs(idle.hostLateNs)} (${formatShare(idle.hostLateNs / spanNs)} of the span).`,
      explanation:
        "Kernels are launched later than the device could run them: small layers, synchronisations or the profiler itself. Copies then look exposed although they delay nothing.",
      events: [],
      eventCount: 0,
      arrow: null,
      costNs: idle.hostLateNs,
      configKeys: [],
      device: null,
    },
  ];
}

/** The copies that are exposed longest. */
function basis(
  indexed: IndexedTimeline,
  kind: number,
  device?: number,
): Omit<Finding, "code" | "message" | "explanation" | "costNs" | "configKeys"> {
  const { timeline } = indexed;
  const { events, lanes } = timeline;
  const compute = computeBeside(indexed, device);
  const listed: { event: number; exposedNs: number }[] = [];
  for (let at = 0; at < events.startNs.length; at++) {
    if (events.kind[at] !== kind) continue;
    if (device !== undefined && lanes[events.lane[at] ?? 0]?.device !== device) continue;
    const startNs = events.startNs[at] ?? 0;
    const durationNs = events.durationNs[at] ?? 0;
    const exposedNs = durationNs - coveredNs(compute, startNs, startNs + durationNs);
    if (exposedNs > 0) listed.push({ event: at, exposedNs });
  }
  listed.sort((a, b) => b.exposedNs - a.exposedNs || a.event - b.event);
  const first = listed[0]?.event ?? 0;
  return {
    severity: "warning",
    events: findingEvents(
      timeline,
      listed.map(({ event }) => event),
    ),
    eventCount: listed.length,
    arrow: null,
    device: listed.length === 0 ? null : (lanes[events.lane[first] ?? 0]?.device ?? null),
  };
}
