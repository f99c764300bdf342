import type { Timeline } from "../columns/columns.js";
import type { BandwidthSpread } from "./analysisTypes.js";
import type { MeasureScope } from "./metrics.js";

/** Smaller copies measure the latency of the link. */
const LEAST_BYTES = 64 * 1024;

/** How fast single copies of a kind were (bytes ÷ duration); null where none is large enough. */
export function bandwidthSpread(
  { events, lanes }: Timeline,
  kind: number,
  { device, range, firstEvent = 0 }: MeasureScope = {},
): BandwidthSpread | null {
  const rates: number[] = [];
  for (let at = firstEvent; at < events.startNs.length; at++) {
    if (range !== undefined && (events.startNs[at] ?? 0) >= range.toNs) break;
    if (events.kind[at] !== kind) continue;
    const durationNs = events.durationNs[at] ?? 0;
    const bytes = events.bytes[at] ?? 0;
    if (!(bytes >= LEAST_BYTES) || durationNs <= 0) continue;
    if (device !== undefined && (lanes[events.lane[at] ?? 0]?.device ?? device) !== device) continue;
    const startNs = events.startNs[at] ?? 0;
    if (range !== undefined && startNs + durationNs <= range.fromNs) continue;
    rates.push(bytes / durationNs);
  }
  if (rates.length === 0) return null;
  const sorted = Float64Array.from(rates).sort();
  const share = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return {
    count: sorted.length,
    minGBps: share(0),
    p10GBps: share(0.1),
    medianGBps: share(0.5),
    p90GBps: share(0.9),
    maxGBps: share(1),
  };
}
