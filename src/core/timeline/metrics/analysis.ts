import { EventKind } from "../columns/columns.js";
import { computeBeside, type IndexedTimeline } from "../columns/indexedTimeline.js";
import type { TimelineAnalysis } from "./analysisTypes.js";
import { bandwidthSpread } from "./bandwidth.js";
import { judgeBound } from "./boundVerdict.js";
import { idleOf, splitIdle } from "./idleSplit.js";
import { layerCosts } from "./layerCosts.js";
import { type MeasureScope, measureTimeline } from "./metrics.js";

/** What the panel shows of a whole timeline, of one device, of a range: metrics and what follows from them. */
export function analyse(indexed: IndexedTimeline, scope: MeasureScope = {}): TimelineAnalysis {
  const { timeline, overview } = indexed;
  const isWhole = scope.device === undefined && scope.range === undefined;
  const idle = isWhole ? idleOf(indexed) : splitIdle(timeline, scope);
  const metrics = isWhole ? overview.metrics : measureTimeline(timeline, scope).metrics;
  return {
    metrics,
    idle,
    verdict: judgeBound(metrics, idle),
    layers: layerCosts(timeline, computeBeside(indexed, scope.device), scope),
    bandwidth: {
      d2h: bandwidthSpread(timeline, EventKind.copyD2H, scope),
      h2d: bandwidthSpread(timeline, EventKind.copyH2D, scope),
    },
  };
}
