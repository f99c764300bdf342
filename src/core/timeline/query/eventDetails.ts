import type { FlowColumns, FlowKindValue, Timeline } from "../columns/columns.js";
import { EventKind, type EventKindValue } from "../columns/eventKind.js";
import { coveredNs } from "../columns/intervals.js";
import { computeBeside, type IndexedTimeline } from "./indexedTimeline.js";
import { type EventDetails, type EventLink, type FlowLink, MAX_LINKS } from "./protocol.js";

/** Everything about one event. `event` must exist. */
export function detailsOf(indexed: IndexedTimeline, event: number): EventDetails {
  const { events, lanes, strings } = indexed.timeline;
  const lane = lanes[events.lane[event] ?? 0];
  const startNs = events.startNs[event] ?? 0;
  const durationNs = events.durationNs[event] ?? 0;
  const kind = (events.kind[event] ?? EventKind.other) as EventKindValue;
  const other = events.dependsOn[event] ?? -1;
  return {
    event,
    row: indexed.rowOf[event] ?? 0,
    role: lane?.role ?? "host",
    stream: lane?.stream ?? "",
    kind,
    name: strings[events.name[event] ?? 0] ?? "",
    layer: events.layer[event] ?? -1,
    startNs,
    durationNs,
    bytes: Number.isNaN(events.bytes[event]) ? null : (events.bytes[event] ?? 0),
    hiddenNs: canBeHidden(kind) ? coveredNs(computeBeside(indexed, lane?.device), startNs, startNs + durationNs) : null,
    waitedFor: other < 0 ? null : linkTo(indexed, other),
    flows: flowsOf(indexed, event),
    device: lane?.device ?? null,
    process: lane?.process ?? null,
    correlation: events.correlation?.[event] ?? 0,
  };
}

/** An event as the other end of an arrow. */
export function linkTo(indexed: IndexedTimeline, event: number): EventLink {
  const { events, lanes, strings } = indexed.timeline;
  const startNs = events.startNs[event] ?? 0;
  return {
    event,
    row: indexed.rowOf[event] ?? 0,
    name: strings[events.name[event] ?? 0] ?? "",
    stream: lanes[events.lane[event] ?? 0]?.stream ?? "",
    startNs,
    endNs: startNs + (events.durationNs[event] ?? 0),
  };
}

function flowsOf(indexed: IndexedTimeline, event: number): FlowLink[] {
  const { flows } = indexed.timeline;
  if (flows === undefined) return [];
  const links: FlowLink[] = [];
  for (let at = firstIndex(flows.from, event); flows.from[at] === event && links.length < MAX_LINKS; at++)
    links.push({ ...linkTo(indexed, flows.to[at] ?? 0), kind: kindAt(flows, at), direction: "to" });
  const { order, to } = incomingFlows(indexed, flows);
  for (let at = firstIndex(to, event); to[at] === event && links.length < MAX_LINKS; at++) {
    const flow = order[at] ?? 0;
    links.push({ ...linkTo(indexed, flows.from[flow] ?? 0), kind: kindAt(flows, flow), direction: "from" });
  }
  return links;
}

function kindAt(flows: FlowColumns, at: number): FlowKindValue {
  return (flows.kind[at] ?? 2) as FlowKindValue;
}

/** Arrows by the event at which they end; built when the first event is asked for. */
function incomingFlows(indexed: IndexedTimeline, flows: FlowColumns): { order: Uint32Array; to: Uint32Array } {
  indexed.incoming ??= orderByEnd(flows, indexed.timeline);
  return indexed.incoming;
}

function orderByEnd(flows: FlowColumns, { events }: Timeline): { order: Uint32Array; to: Uint32Array } {
  // Counting sort: there are as many keys as events.
  const places = new Uint32Array(events.startNs.length + 1);
  for (const event of flows.to) places[event + 1] = (places[event + 1] ?? 0) + 1;
  for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  const order = new Uint32Array(flows.to.length);
  for (let at = 0; at < flows.to.length; at++) {
    const event = flows.to[at] ?? 0;
    const place = places[event] ?? 0;
    order[place] = at;
    places[event] = place + 1;
  }
  return { order, to: order.map((flow) => flows.to[flow] ?? 0) };
}

/** First position of an ascending column that is at least `value`. */
function firstIndex(column: Uint32Array, value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function canBeHidden(kind: EventKindValue): boolean {
  return kind === EventKind.copyD2H || kind === EventKind.copyH2D || kind === EventKind.collective;
}
