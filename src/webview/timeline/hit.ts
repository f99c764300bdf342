import { EventKind } from "../../core/timeline/columns/eventKind.js";
import type { MemorySlices } from "../../core/timeline/query/memorySlices.js";
import type { RowSlices } from "../../core/timeline/query/slices.js";
import type { PreparedView } from "./draw/preparedView.js";
import type { Geometry, LaneStripe, MemoryStripe } from "./geometry.js";

/** What lies under the pointer. */
export type Hit =
  | {
      readonly kind: "box";
      readonly lane: LaneStripe;
      readonly row: number;
      readonly slices: RowSlices;
      readonly at: number;
    }
  | { readonly kind: "exposed"; readonly lane: LaneStripe }
  | { readonly kind: "label"; readonly lane: LaneStripe }
  /** `slices` is null until the first answer; `ownNs` is on the clock of the run. */
  | {
      readonly kind: "memory";
      readonly memory: MemoryStripe;
      readonly slices: MemorySlices | null;
      readonly ownNs: number;
    }
  | { readonly kind: "ruler" }
  | { readonly kind: "nothing" };

/** Boxes narrower than this can still be met. */
const REACH_PX = 3;

/** `nsPerPx` turns the reach into time; `timeNs` is the time under the pointer on the clock of the canvas. */
export function hitTest(
  geometry: Geometry,
  preparedOf: (run: number) => PreparedView | null,
  x: number,
  y: number,
  timeNs: number,
  nsPerPx: number,
): Hit {
  if (y < geometry.layers.y + geometry.layers.height)
    return x < geometry.plotX ? { kind: "nothing" } : { kind: "ruler" };
  const isInFixed = y < geometry.fixedHeight;
  const lane = geometry.lanes.find(
    (stripe) => stripe.isFixed === isInFixed && y >= stripe.y && y < stripe.y + stripe.height,
  );
  if (lane !== undefined && x < geometry.plotX) return { kind: "label", lane };
  const memory = geometry.memory.find((stripe) => !isInFixed && y >= stripe.y && y < stripe.y + stripe.height);
  if (memory !== undefined) {
    const prepared = preparedOf(memory.run);
    const slices = prepared?.view.memory[memory.curve] ?? null;
    return { kind: "memory", memory, slices, ownNs: timeNs - (prepared?.shiftNs ?? 0) };
  }
  const prepared = lane === undefined ? null : preparedOf(lane.run);
  if (lane === undefined || prepared === null) return { kind: "nothing" };
  if (lane.exposed !== null && y >= lane.exposed.y) return { kind: "exposed", lane };
  // A folded lane has all its rows in one place: the first one that has something there.
  for (const stripe of lane.rows) {
    const slices = prepared.view.rows[stripe.row];
    if (slices === undefined || y < stripe.y || y >= stripe.y + stripe.height) continue;
    const ownNs = timeNs - prepared.shiftNs;
    const at = nearestBox(slices.startNs, slices.endNs, ownNs, REACH_PX * nsPerPx);
    if (at < 0) continue;
    return { kind: "box", lane, row: stripe.row, slices, at: preferWork(slices, at, ownNs, REACH_PX * nsPerPx) };
  }
  return { kind: "nothing" };
}

/** A short copy beside a long wait is what the user aims at: within reach, work wins over waiting. */
function preferWork(slices: RowSlices, at: number, timeNs: number, reachNs: number): number {
  if (slices.kind[at] !== EventKind.streamWait) return at;
  for (const other of [at + 1, at - 1]) {
    const kind = slices.kind[other];
    if (kind === undefined || kind === EventKind.streamWait) continue;
    const gap = other > at ? (slices.startNs[other] ?? 0) - timeNs : timeNs - (slices.endNs[other] ?? 0);
    if (gap <= reachNs) return other;
  }
  return at;
}

/** Box at a time, else the nearest edge within `reachNs`; -1 for none. Boxes are ascending. */
function nearestBox(startNs: Float64Array, endNs: Float64Array, timeNs: number, reachNs: number): number {
  let low = 0;
  let high = startNs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((startNs[middle] ?? 0) <= timeNs) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  if (before >= 0 && timeNs < (endNs[before] ?? 0)) return before;
  const gapBefore = before >= 0 ? timeNs - (endNs[before] ?? 0) : Infinity;
  const gapAfter = low < startNs.length ? (startNs[low] ?? 0) - timeNs : Infinity;
  if (Math.min(gapBefore, gapAfter) > reachNs) return -1;
  return gapBefore <= gapAfter ? before : low;
}
