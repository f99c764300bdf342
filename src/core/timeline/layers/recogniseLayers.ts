import type { LayerSource, Timeline } from "../columns.js";

/** Which layers were found; `names[i]` names layer `i`. */
export interface RecognisedLayers {
  readonly source: LayerSource | null;
  readonly names: readonly string[];
}

/** Fills `events.layer`. */
export function recogniseLayers(_timeline: Timeline): RecognisedLayers {
  return { source: null, names: [] };
}
