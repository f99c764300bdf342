import { type EventColumns, EventKind, type FlowColumns, FlowKind } from "../columns.js";
import { firstAtLeast } from "../eventRows.js";
import { runsOnDevice } from "../metrics.js";
import { sortByKey } from "../stableOrder.js";
import { Category } from "./category.js";
import type { FlowPoints } from "./flowPoints.js";
import type { LaneTable } from "./laneTable.js";

/** How far back an event that encloses the end of an arrow is looked for. */
const LOOK_BACK = 256;

interface Edges {
  readonly from: number[];
  readonly to: number[];
  readonly kind: number[];
}

/**
 * Arrows between events: a launch and its device work have the same correlation id; other arrows are drawn from point to
 * point in the file, and a point belongs to the innermost event of its thread that holds its time.
 */
export function linkFlows(events: EventColumns, points: FlowPoints, lanes: LaneTable, originNs: number): FlowColumns {
  const edges: Edges = { from: [], to: [], kind: [] };
  linkLaunches(events, edges);
  linkPoints(events, points, lanes, originNs, edges);
  const keys = Float64Array.from(edges.from);
  const order = sortByKey(
    Uint32Array.from(keys, (_, at) => at),
    keys,
  );
  return {
    from: order.map((at) => edges.from[at] ?? 0),
    to: order.map((at) => edges.to[at] ?? 0),
    kind: Uint8Array.from(order, (at) => edges.kind[at] ?? FlowKind.other),
  };
}

function linkLaunches({ correlation, kind, startNs }: EventColumns, edges: Edges): void {
  if (correlation === undefined) return;
  const calls = callsByCorrelation(correlation, kind);
  for (let at = 0; at < startNs.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !runsOnDevice(kind[at] ?? 0)) continue;
    const call = calls(id);
    if (call === undefined) continue;
    edges.from.push(call);
    edges.to.push(at);
    edges.kind.push(FlowKind.launch);
  }
}

/** Looks up the call of the host with a correlation id. Ids of one file are dense, so that a table usually does. */
function callsByCorrelation(correlation: Uint32Array, kind: Uint8Array): (id: number) => number | undefined {
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
  for (let at = 0; at < correlation.length; at++) {
    const id = correlation[at] ?? 0;
    if (id === 0 || !isCall(kind[at] ?? 0)) continue;
    if (table === undefined) map.set(id, at);
    else table[id - lowest] = at;
  }
  if (table === undefined) return (id) => map.get(id);
  return (id) => {
    const call = table[id - lowest] ?? -1;
    return call < 0 ? undefined : call;
  };
}

function isCall(kind: number): boolean {
  return kind === EventKind.runtimeCall || kind === EventKind.hostWait || kind === EventKind.pinnedAllocation;
}

function linkPoints(events: EventColumns, points: FlowPoints, lanes: LaneTable, originNs: number, edges: Edges): void {
  // Points of one arrow become neighbours in order of time; the sort is stable, so times go first.
  const times = points.timeNs.subarray(0, points.length);
  const earliest = times.reduce((least, time) => Math.min(least, time), 0);
  const byTime = sortByKey(
    Uint32Array.from(times, (_, at) => at),
    times.map((time) => time - earliest),
  );
  const order = sortByKey(
    byTime,
    points.id.slice(0, points.length).map((id) => Math.abs(id)),
  );
  for (let at = 1; at < order.length; at++) {
    const [before, after] = [order[at - 1] ?? 0, order[at] ?? 0];
    if (points.id[before] !== points.id[after] || points.category[before] !== points.category[after]) continue;
    if (points.phase[before] === 2 || points.phase[after] === 0) continue;
    const from = eventAt(events, lanes, points, before, originNs);
    const to = eventAt(events, lanes, points, after, originNs);
    if (from === undefined || to === undefined || from === to) continue;
    edges.from.push(from);
    edges.to.push(to);
    const isPair = points.category[after] === Category.forwardBackwardFlow;
    edges.kind.push(isPair ? FlowKind.forwardBackward : FlowKind.other);
  }
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
