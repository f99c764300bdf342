import type { LaneRole } from "../core/timeline/columns.js";

/** What the page calls a lane. */
export const ROLE_NAMES: Readonly<Record<LaneRole, string>> = {
  compute: "Compute",
  d2h: "D2H copies",
  h2d: "H2D copies",
  d2d: "Device to device",
  collective: "Collectives",
  host: "Host",
};

/** `mlp.down_proj` of `model.layers.3.mlp.down_proj`: inside a layer's boxes the rest only repeats the layer band. */
export function shortName(name: string, layer: number): string {
  return layer < 0 ? name : name.replace(/^(.*\s)?[\w.]*?\.\d+\.(?=\w)/, "$1");
}
