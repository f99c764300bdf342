import type { EventColumns, TimelineLane, TimelineSpan } from "../columns/columns.js";

/** Stretches in which the compute streams worked on one layer, ascending; parallel columns. */
export interface LayerBand {
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly layer: Int32Array;
}

/**
 * Of the busiest compute stream (others prepare the next layer meanwhile): joins neighbouring compute events of the same layer. Events without a layer neither break nor extend a stretch; a step or
 * phase boundary breaks it, so the last layer's forward and backward stay apart.
 */
export function buildLayerBand(
  lanes: readonly TimelineLane[],
  events: EventColumns,
  spans: readonly TimelineSpan[],
): LayerBand {
  const shownLane = busiestLane(lanes, events);
  const boundaries = [...new Set(spans.map((span) => span.startNs))].sort((a, b) => a - b);
  const starts: number[] = [];
  const ends: number[] = [];
  const layers: number[] = [];
  let nextBoundary = 0;
  for (let at = 0; at < events.startNs.length; at++) {
    const layer = events.layer[at] ?? -1;
    if (layer < 0 || events.lane[at] !== shownLane) continue;
    const startNs = events.startNs[at] ?? 0;
    const endNs = startNs + (events.durationNs[at] ?? 0);
    const passed = nextBoundary;
    while (nextBoundary < boundaries.length && (boundaries[nextBoundary] ?? 0) <= startNs) nextBoundary++;
    const last = layers.length - 1;
    if (layers[last] === layer && nextBoundary === passed) {
      ends[last] = Math.max(ends[last] ?? 0, endNs);
      continue;
    }
    starts.push(startNs);
    ends.push(endNs);
    layers.push(layer);
  }
  return { startNs: Float64Array.from(starts), endNs: Float64Array.from(ends), layer: Int32Array.from(layers) };
}

/** The compute lane whose events with a layer last longest in sum; -1 where there are none. */
function busiestLane(lanes: readonly TimelineLane[], events: EventColumns): number {
  const busyNs = new Float64Array(lanes.length);
  for (let at = 0; at < events.startNs.length; at++) {
    const lane = events.lane[at] ?? 0;
    if ((events.layer[at] ?? -1) >= 0) busyNs[lane] = (busyNs[lane] ?? 0) + (events.durationNs[at] ?? 0);
  }
  let best = -1;
  for (let lane = 0; lane < lanes.length; lane++)
    if (lanes[lane]?.role === "compute" && (best < 0 || (busyNs[lane] ?? 0) > (busyNs[best] ?? 0))) best = lane;
  return best;
}
