import { type EventColumns, type FlowColumns, FlowKind } from "../../columns/columns.js";
import { EventKind } from "../../columns/eventKind.js";
import { firstAtLeast } from "../../columns/eventRows.js";
import { sortByKey } from "../../columns/stableOrder.js";
import { runsOnDevice } from "../../metrics/metrics.js";
import { Category } from "./category.js";
import type { FlowPoints } from "./flowPoints.js";
import type { LaneTable } from "./laneTable.js";

/** How far back an event that encloses the end of an arrow is looked for. */
const LOOK_BACK = 256;

/** Calls with the same correlation id that are looked at: as many as ranks are ever merged. */
const MOST_CALLS = 64;

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
  linkLaunches(events, edges);
  linkPoints(events, points, lanes, originNs, edges);
  return edges.sorted(events.startNs.length);
}

function linkLaunches({ correlation, kind, startNs }: EventColumns, edges: Edges): void {
  if (correlation === undefined) return;
  const calls = callsByCorrelation(correlation, kind, startNs);
  for (let at = 0; at < startNs.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !runsOnDevice(kind[at] ?? 0)) continue;
    const call = calls(id, startNs[at] ?? 0);
    if (call !== undefined) edges.add(call, at, FlowKind.launch);
  }
}

/**
 * Looks up the call of the host with a correlation id. Ids of one file are dense, so that a table usually does. Ranks that were
 * merged into one file have the same ids: of several calls the last one before the work counts.
 */
function callsByCorrelation(
  correlation: Uint32Array,
  kind: Uint8Array,
  startNs: Float64Array,
): (id: number, beforeNs: number) => number | undefined {
  let lowest = Infinity;
  let highest = 0;
  for (const id of correlation) {
    if (id === 0) continue;
    lowest = Math.min(lowest, id);
    highest = Math.max(highest, id);
  }
  if (highest === 0) return () => undefined;
  const isDense = highest - lowest < correlation.length * 8 + 1024;
  const table = isDense ? new Int32Array(highest - lowest + 1).fill(-1) : undefined;
  const map = new Map<number, number>();
  const several = new Map<number, number[]>();
  for (let at = 0; at < correlation.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !isCall(kind[at] ?? 0)) continue;
    const known = table === undefined ? (map.get(id) ?? -1) : (table[id - lowest] ?? -1);
    if (known >= 0) several.set(id, [...(several.get(id) ?? [known]), at].slice(-MOST_CALLS));
    if (table === undefined) map.set(id, at);
    else table[id - lowest] = at;
  }
  return (id, beforeNs) => {
    const call = table === undefined ? (map.get(id) ?? -1) : (table[id - lowest] ?? -1);
    if (call < 0) return undefined;
    const calls = several.size === 0 ? undefined : several.get(id);
    return calls?.findLast((one) => (startNs[one] ?? 0) <= beforeNs) ?? call;
  };
}

function isCall(kind: number): boolean {
  return kind === EventKind.runtimeCall || kind === EventKind.hostWait || kind === EventKind.pinnedAllocation;
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
