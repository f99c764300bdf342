import { EventKind } from "../columns/eventKind.js";
import type { TimelineAnalysis } from "../metrics/analysisTypes.js";
import { bandwidthSpread } from "../metrics/bandwidth.js";
import { judgeBound } from "../metrics/boundVerdict.js";
import { idleOf, splitIdle } from "../metrics/idleSplit.js";
import { layerCosts } from "../metrics/layerCosts.js";
import { type MeasureScope, measureTimeline } from "../metrics/metrics.js";
import { computeBeside, type IndexedTimeline } from "./indexedTimeline.js";

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
