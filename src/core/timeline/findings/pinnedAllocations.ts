import { counted, formatNs, formatShare } from "../../base/quantities.js";
import { EventKind } from "../columns/eventKind.js";
import { coveredNs } from "../columns/intervals.js";
import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findingEvents } from "./findingEvents.js";

/** Below this share of the span nobody would notice. */
const LEAST_SHARE = 0.002;

/**
 * Calls that allocate pinned memory. They take milliseconds, block the host, and synchronise the device: what of them lies
 * outside of compute-busy time is on the critical path.
 */
export function findPinnedAllocations({ timeline, compute, overview }: IndexedTimeline): Finding[] {
  const { events } = timeline;
  const calls: number[] = [];
  let sumNs = 0;
  let exposedNs = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    if (events.kind[at] !== EventKind.pinnedAllocation) continue;
    const startNs = events.startNs[at] ?? 0;
    const durationNs = events.durationNs[at] ?? 0;
    calls.push(at);
    sumNs += durationNs;
    exposedNs += durationNs - coveredNs(compute, startNs, startNs + durationNs);
  }
  const { spanNs } = overview.metrics;
  if (calls.length === 0 || sumNs < spanNs * LEAST_SHARE) return [];
  calls.sort((a, b) => (events.durationNs[b] ?? 0) - (events.durationNs[a] ?? 0) || a - b);
  return [
    {
      code: "PINNED_ALLOCATIONS",
      severity: "warning",
      message: `Pinned memory is allocated ${counted(calls.length, "time")}, for ${formatNs(sumNs)}${spanNs > 0 ? ` (${formatShare(sumNs / spanNs)} of the span)` : ""}; ${formatNs(exposedNs)} of it without compute beside it.`,
      explanation:
        "In a steady step the pool should reuse its buffers. Where sequence lengths vary, a smaller cache limit lets PyTorch's own allocator reuse blocks instead of pinning new ones; with one length, a larger limit keeps all buffers.",
      events: findingEvents(timeline, calls),
      eventCount: calls.length,
      arrow: null,
      costNs: exposedNs,
      configKeys: ["activation_offload_host_cache_limit_gb"],
      device: null,
    },
  ];
}
