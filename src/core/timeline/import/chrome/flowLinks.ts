import { type EventColumns, type FlowColumns, FlowKind } from "../../columns/columns.js";
import { firstAtLeast } from "../../columns/eventRows.js";
import { sortByKey } from "../../columns/stableOrder.js";
import { runsOnDevice } from "../../metrics/metrics.js";
import { Category } from "./category.js";
import type { FlowPoints } from "./flowPoints.js";
import type { LaneTable } from "./laneTable.js";
import { launchingCalls } from "./launchingCalls.js";

/** How far back an event that encloses the end of an arrow is looked for. */
const LOOK_BACK = 256;

/** Arrows in the order in which they were found, in growing columns. */
class Edges {
  length = 0;
  from = new Uint32Array(1_024);
  to = new Uint32Array(1_024);
  kind = new Uint8Array(1_024);

  add(from: number, to: number, kind: number): void {
    if (this.length === this.from.length) this.grow();
    const at = this.length++;
    this.from[at] = from;
    this.to[at] = to;
    this.kind[at] = kind;
  }

  /** Sorted by `from`; arrows from one event stay in order. `events` is above each `from`. */
  sorted(events: number): FlowColumns {
    const { length } = this;
    const places = new Uint32Array(events + 1);
    for (let at = 0; at < length; at++) {
      const after = (this.from[at] ?? 0) + 1;
      places[after] = (places[after] ?? 0) + 1;
    }
    for (let event = 1; event <= events; event++) places[event] = (places[event] ?? 0) + (places[event - 1] ?? 0);
    const sorted = { from: new Uint32Array(length), to: new Uint32Array(length), kind: new Uint8Array(length) };
    for (let at = 0; at < length; at++) {
      const from = this.from[at] ?? 0;
      const place = places[from] ?? 0;
      places[from] = place + 1;
      sorted.from[place] = from;
      sorted.to[place] = this.to[at] ?? 0;
      sorted.kind[place] = this.kind[at] ?? FlowKind.other;
    }
    return sorted;
  }

  private grow(): void {
    const { from, to, kind } = this;
    this.from = new Uint32Array(from.length * 2);
    this.from.set(from);
    this.to = new Uint32Array(to.length * 2);
    this.to.set(to);
    this.kind = new Uint8Array(kind.length * 2);
    this.kind.set(kind);
  }
}

/**
 * Arrows between events: a launch and its device work have the same correlation id; other arrows are drawn from point to
 * point in the file, and a point belongs to the innermost event of its thread that holds its time.
 */
export function linkFlows(events: EventColumns, points: FlowPoints, lanes: LaneTable, originNs: number): FlowColumns {
  const edges = new Edges();
  linkLaunches(events, lanes, edges);
  linkPoints(events, points, lanes, originNs, edges);
  return edges.sorted(events.startNs.length);
}

function linkLaunches(events: EventColumns, lanes: LaneTable, edges: Edges): void {
  const { correlation, kind, startNs } = events;
  if (correlation === undefined) return;
  const callOf = launchingCalls(events, correlation, lanes);
  for (let at = 0; at < startNs.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !runsOnDevice(kind[at] ?? 0)) continue;
    const call = callOf(at);
    if (call !== undefined) edges.add(call, at, FlowKind.launch);
  }
}

function linkPoints(events: EventColumns, points: FlowPoints, lanes: LaneTable, originNs: number, edges: Edges): void {
  const order = pointOrder(points);
  for (let at = 1; at < order.length; at++) {
    const [before, after] = [order[at - 1] ?? 0, order[at] ?? 0];
    if (points.id[before] !== points.id[after] || points.category[before] !== points.category[after]) continue;
    if (points.phase[before] === 2 || points.phase[after] === 0) continue;
    const from = eventAt(events, lanes, points, before, originNs);
    const to = eventAt(events, lanes, points, after, originNs);
    if (from === undefined || to === undefined || from === to) continue;
    const isPair = points.category[after] === Category.forwardBackwardFlow;
    edges.add(from, to, isPair ? FlowKind.forwardBackward : FlowKind.other);
  }
}

/** Points of one arrow become neighbours in order of time; the sort is stable, so times go first. */
function pointOrder({ length, timeNs, id }: FlowPoints): Uint32Array {
  const order = new Uint32Array(length);
  const keys = new Float64Array(length);
  let earliest = 0;
  for (let at = 0; at < length; at++) earliest = Math.min(earliest, timeNs[at] ?? 0);
  for (let at = 0; at < length; at++) {
    order[at] = at;
    keys[at] = (timeNs[at] ?? 0) - earliest;
  }
  const byTime = sortByKey(order, keys);
  for (let at = 0; at < length; at++) keys[at] = Math.abs(id[at] ?? 0);
  return sortByKey(byTime, keys);
}

function eventAt(
  events: EventColumns,
  lanes: LaneTable,
  points: FlowPoints,
  point: number,
  originNs: number,
): number | undefined {
  const timeNs = (points.timeNs[point] ?? 0) - originNs;
  const thread = points.thread[point];
  const { startNs, durationNs, lane } = events;
  let at = firstAtLeast(startNs, timeNs);
  while (at < startNs.length && startNs[at] === timeNs) at++;
  const stop = Math.max(0, at - LOOK_BACK);
  for (at--; at >= stop; at--)
    if (lanes.threadOf(lane[at] ?? 0) === thread && (startNs[at] ?? 0) + (durationNs[at] ?? 0) >= timeNs) return at;
  return undefined;
}
