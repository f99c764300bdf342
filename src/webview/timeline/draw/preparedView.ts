import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import type { LaneRole } from "../../../core/timeline/columns/laneRoles.js";
import type { Answers, RowOverview } from "../../../core/timeline/query/protocol.js";

/** Values of a box's look beyond `EventKind`. */
export const BoxLook = {
  /** A copy stream that waits for compute. */
  quietWait: 30,
  bed: 31,
  gridLine: 32,
} as const;
export const LOOK_COUNT = 33;

/** Narrower boxes carry no name, CSS pixels. */
export const LABEL_PX = 22;

/**
 * A view ready to be drawn many times: what does not change while the user pans and zooms is computed once per answer.
 * Both painters, WebGL and 2-D, read only this.
 */
export interface PreparedView {
  readonly view: Answers["view"];
  /** What was added to the times of `view` to have them on the clock of the canvas, ns. */
  readonly shiftNs: number;
  /** Bounds count from here, on the clock of the canvas: single precision then tells far less than a pixel apart. */
  readonly originNs: number;
  /** Start and end of each box, ns − `originNs`, interleaved, all rows one after the other. */
  readonly bounds: Float32Array;
  /** Per box: look (`EventKind` or `BoxLook`), strength 0 … 255, 1 where several events are merged, 0. */
  readonly styles: Uint8Array;
  readonly rows: readonly PreparedRow[];
}

export interface PreparedRow {
  /** Boxes `[first, first + count)` of the columns above. */
  readonly first: number;
  readonly count: number;
  /** Boxes of the row that can become wide enough for a name before the next view is fetched; index within the row. */
  readonly named: Uint32Array;
}

export function prepareView(view: Answers["view"], rows: readonly RowOverview[], shiftNs: number): PreparedView {
  const total = view.rows.reduce((sum, row) => sum + row.startNs.length, 0);
  const bounds = new Float32Array(total * 2);
  const styles = new Uint8Array(total * 4);
  let first = 0;
  const prepared = view.rows.map((slices, at): PreparedRow => {
    const count = slices.startNs.length;
    const role = rows[at]?.role ?? "host";
    const named: number[] = [];
    for (let box = 0; box < count; box++) {
      const startNs = slices.startNs[box] ?? 0;
      const endNs = slices.endNs[box] ?? 0;
      const isMerged = (slices.count[box] ?? 1) > 1;
      const kind = slices.kind[box] ?? EventKind.other;
      const style = (first + box) * 4;
      bounds[(first + box) * 2] = startNs - view.fromNs;
      bounds[(first + box) * 2 + 1] = endNs - view.fromNs;
      styles[style] = isQuiet(kind, role) ? BoxLook.quietWait : kind;
      styles[style + 1] = Math.round(
        255 * strength(kind, role, isMerged, slices.coverage[box] ?? 1, slices.layer[box]),
      );
      styles[style + 2] = isMerged ? 1 : 0;
      // A view serves until its pixels are twice as wide as those on the screen.
      if (!isMerged && endNs - startNs >= (LABEL_PX / 2) * view.pixelNs) named.push(box);
    }
    const row = { first, count, named: Uint32Array.from(named) };
    first += count;
    return row;
  });
  return { view, shiftNs, originNs: view.fromNs + shiftNs, bounds, styles, rows: prepared };
}

function isQuiet(kind: number, role: LaneRole): boolean {
  return kind === EventKind.streamWait && role !== "compute";
}

/** Density shows as strength; neighbouring layers differ a little, so that their borders can be seen. */
function strength(kind: number, role: LaneRole, isMerged: boolean, coverage: number, layer = -1): number {
  if (isQuiet(kind, role)) return 0.14;
  if (kind === EventKind.streamWait || kind === EventKind.hostWait) return 0.45;
  if (isMerged) return 0.35 + 0.6 * coverage;
  return layer >= 0 && layer % 2 === 1 ? 0.78 : 1;
}
