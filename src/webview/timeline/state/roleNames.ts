import type { LaneRole } from "../../../core/timeline/columns/columns.js";

/** What the page calls a lane. */
export const ROLE_NAMES: Readonly<Record<LaneRole, string>> = {
  compute: "Compute",
  d2h: "D2H copies",
  h2d: "H2D copies",
  d2d: "Device to device",
  collective: "Collectives",
  annotation: "Annotations",
  host: "Host",
};

const MOST_MODULE_NAME = 300;

/** `mlp.down_proj` of `model.layers.3.mlp.down_proj`: inside a layer's boxes the rest only repeats the layer band. */
export function shortName(name: string, layer: number): string {
  // A name can be a megabyte long; the pattern is for names of modules.
  if (layer < 0 || name.length > MOST_MODULE_NAME) return name;
  return name.replace(/^(.*\s)?[\w.]*?\.\d+\.(?=\w)/, "$1");
}
