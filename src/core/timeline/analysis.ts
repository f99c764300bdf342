import type { TimelineAnalysis } from "./analysisTypes.js";
import { bandwidthSpread } from "./bandwidth.js";
import { judgeBound } from "./boundVerdict.js";
import { EventKind } from "./columns.js";
import { idleOf } from "./idleSplit.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import { layerCosts } from "./layerCosts.js";

/** What the panel shows of a whole timeline beside its metrics. */
export function analyse(indexed: IndexedTimeline): TimelineAnalysis {
  const { timeline, compute, overview } = indexed;
  const idle = idleOf(indexed);
  return {
    idle,
    verdict: judgeBound(overview.metrics, idle),
    layers: layerCosts(timeline, compute),
    bandwidth: {
      d2h: bandwidthSpread(timeline, EventKind.copyD2H),
      h2d: bandwidthSpread(timeline, EventKind.copyH2D),
    },
  };
}
