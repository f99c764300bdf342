import type { Timeline } from "../columns/columns.js";
import { recogniseLayers } from "../layers/recogniseLayers.js";
import { recogniseSteps } from "../layers/recogniseSteps.js";
import { eachOverlap } from "../metrics/overlaps.js";
import { cutImpossible } from "./impossibleDurations.js";
import type { ReportBuilder } from "./reportBuilder.js";

/**
 * What every import ends with, once the columns are filled: cuts impossible durations, notes work that overlaps in its stream,
 * and finds layers and steps. The columns of `base` are changed in place.
 */
export function completeTimeline(base: Timeline, report: ReportBuilder): Timeline {
  cutImpossible(base, report);
  eachOverlap(base, (_earlier, event) =>
    report.note("OVERLAP", null, () => base.strings[base.events.name[event] ?? 0] ?? ""),
  );
  const layers = recogniseLayers(base);
  return { ...base, spans: recogniseSteps(base), layerSource: layers.source, layerNames: layers.names };
}
