import type { TimelineDevice } from "../../../core/timeline/columns/columns.js";

/** `GPU 0: NVIDIA H200`. */
export function deviceTitle({ device, name }: TimelineDevice): string {
  return name === "" ? `GPU ${device}` : `GPU ${device}: ${name}`;
}
