import type { ComparedValue, TimelineComparison } from "./comparisonTypes.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import { layerCosts, layerName } from "./layerCosts.js";
import type { TimelineMetrics } from "./metrics.js";
import { formatDifference, formatNs } from "./quantities.js";

interface Compared {
  readonly id: string;
  readonly label: string;
  readonly unit: ComparedValue["unit"];
  /** Whether less is better; null where neither is. */
  readonly isLessBetter: boolean | null;
  read(metrics: TimelineMetrics): number;
}

const METRICS: readonly Compared[] = [
  { id: "span", label: "Span", unit: "ns", isLessBetter: true, read: (m) => m.spanNs },
  { id: "idle", label: "Idle", unit: "ns", isLessBetter: true, read: (m) => m.idleNs },
  { id: "d2hExposed", label: "D2H exposed", unit: "ns", isLessBetter: true, read: (m) => m.d2h.exposedNs },
  { id: "h2dExposed", label: "H2D exposed", unit: "ns", isLessBetter: true, read: (m) => m.h2d.exposedNs },
  { id: "copiesExposed", label: "Copies exposed", unit: "ns", isLessBetter: true, read: (m) => m.copiesAny.exposedNs },
  {
    id: "collectiveExposed",
    label: "Collectives exposed",
    unit: "ns",
    isLessBetter: true,
    read: (m) => m.collective.exposedNs,
  },
  { id: "d2hBytes", label: "D2H bytes", unit: "bytes", isLessBetter: null, read: (m) => m.d2h.bytes },
  { id: "h2dBytes", label: "H2D bytes", unit: "bytes", isLessBetter: null, read: (m) => m.h2d.bytes },
  { id: "d2hCount", label: "D2H copies", unit: "count", isLessBetter: null, read: (m) => m.d2h.count },
  { id: "h2dCount", label: "H2D copies", unit: "count", isLessBetter: null, read: (m) => m.h2d.count },
  { id: "kernels", label: "Kernels", unit: "count", isLessBetter: null, read: (m) => m.counts.kernel },
];

const LANES: readonly Compared[] = [
  { id: "compute", label: "Compute", unit: "ns", isLessBetter: true, read: (m) => m.computeBusyNs },
  { id: "d2h", label: "D2H copies", unit: "ns", isLessBetter: null, read: (m) => m.d2h.busyNs },
  { id: "h2d", label: "H2D copies", unit: "ns", isLessBetter: null, read: (m) => m.h2d.busyNs },
  { id: "d2d", label: "Device to device", unit: "ns", isLessBetter: null, read: (m) => m.d2d.busyNs },
  { id: "collective", label: "Collectives", unit: "ns", isLessBetter: null, read: (m) => m.collective.busyNs },
];

/** Compares two timelines metric by metric, lane by lane and layer by layer. */
export function compareTimelines(
  before: IndexedTimeline,
  after: IndexedTimeline,
  titles: { readonly a: string; readonly b: string },
): TimelineComparison {
  const a = before.overview.metrics;
  const b = after.overview.metrics;
  const value = (compared: Compared): ComparedValue => {
    const [left, right] = [compared.read(a), compared.read(b)];
    const { id, label, unit, isLessBetter } = compared;
    const trend =
      left === right ? "same" : isLessBetter === null ? null : right < left === isLessBetter ? "better" : "worse";
    return { id, label, unit, a: left, b: right, difference: right - left, trend, noise: null };
  };
  return {
    ...titles,
    steps: 1,
    metrics: METRICS.map(value),
    lanes: LANES.map(value),
    layers: compareLayers(before, after),
    verdict: {
      kind: "unclear",
      text: `Span ${formatDifference(b.spanNs, a.spanNs, formatNs)}; one step on each side says nothing about the noise.`,
    },
  };
}

function compareLayers(before: IndexedTimeline, after: IndexedTimeline): TimelineComparison["layers"] {
  const left = new Map(layerCosts(before.timeline, before.compute).map((cost) => [cost.layer, cost]));
  const right = new Map(layerCosts(after.timeline, after.compute).map((cost) => [cost.layer, cost]));
  const layers = [...new Set([...left.keys(), ...right.keys()])].sort((x, y) => x - y);
  const exposed = (layer: number, costs: typeof left) =>
    (costs.get(layer)?.d2hExposedNs ?? 0) + (costs.get(layer)?.h2dExposedNs ?? 0);
  return layers.map((layer) => ({
    layer,
    name: layerName(before.timeline, layer),
    computeNs: { a: left.get(layer)?.computeNs ?? 0, b: right.get(layer)?.computeNs ?? 0 },
    exposedNs: { a: exposed(layer, left), b: exposed(layer, right) },
  }));
}
