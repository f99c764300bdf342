import { sortByKey } from "../columns/stableOrder.js";
import { detailsOf } from "./eventDetails.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import type { Answers, TableFilter, TableSort } from "./protocol.js";

const MAX_TABLE_PAGE = 1_000;

const BY_START: TableSort = { by: "start", descending: false };

/** One page of the filtered and sorted table. */
export function tablePage(
  indexed: IndexedTimeline,
  filter: TableFilter,
  sort: TableSort | undefined,
  position: number,
  count: number,
): Answers["table"] {
  const listed = listedEvents(indexed, filter, sort);
  const from = Math.max(0, Math.min(Math.floor(position) || 0, listed.length));
  const events = listed.subarray(from, from + Math.min(MAX_TABLE_PAGE, Math.max(0, Math.floor(count) || 0)));
  return { total: listed.length, position: from, events: Array.from(events, (event) => detailsOf(indexed, event)) };
}

/** Place of an event in the table; null where the filter leaves it out. */
export function locateEvent(
  indexed: IndexedTimeline,
  filter: TableFilter,
  sort: TableSort | undefined,
  event: number,
): number | null {
  const listed = listedEvents(indexed, filter, sort);
  if (!isByStart(sort)) {
    const at = listed.indexOf(event);
    return at < 0 ? null : at;
  }
  const at = firstNotBelow(listed, event);
  return listed[at] === event ? at : null;
}

/** The match next to `fromEvent` in the given direction, around the end if need be. */
export function searchEvents(
  indexed: IndexedTimeline,
  filter: TableFilter,
  fromEvent: number | null,
  step: 1 | -1,
): Answers["search"] {
  const listed = listedEvents(indexed, filter, undefined);
  const total = listed.length;
  if (total === 0) return { event: null, position: 0, total };
  const position = neighbourPlace(listed, fromEvent, step);
  return { event: detailsOf(indexed, listed[position] ?? 0), position, total };
}

function neighbourPlace(listed: Uint32Array, fromEvent: number | null, step: 1 | -1): number {
  if (fromEvent === null) return step === 1 ? 0 : listed.length - 1;
  const at = firstNotBelow(listed, fromEvent);
  const next = step === -1 ? at - 1 : listed[at] === fromEvent ? at + 1 : at;
  return (next + listed.length) % listed.length;
}

/** All events that pass `filter`, in the order of `sort`. The last list is kept: the page asks for many pages of one. */
export function listedEvents(indexed: IndexedTimeline, filter: TableFilter, sort: TableSort | undefined): Uint32Array {
  const key = JSON.stringify([filter, sort ?? BY_START]);
  if (indexed.table?.key === key) return indexed.table.events;
  const events = sorted(indexed, passing(indexed, filter), sort ?? BY_START);
  indexed.table = { key, events };
  return events;
}

function passing(indexed: IndexedTimeline, filter: TableFilter): Uint32Array {
  const { events, lanes, strings } = indexed.timeline;
  const wanted = filter.text.toLowerCase();
  const nameFits = Uint8Array.from(strings, (name) => (name.toLowerCase().includes(wanted) ? 1 : 0));
  const laneFits = Uint8Array.from(lanes, (lane) =>
    (filter.role === null || lane.role === filter.role) &&
    (filter.stream === undefined || lane.stream === filter.stream) &&
    (filter.device === undefined || lane.device === filter.device)
      ? 1
      : 0,
  );
  const { minDurationNs = 0, maxDurationNs = Infinity, minBytes, maxBytes } = filter;
  const { fromNs = -Infinity, toNs = Infinity, layer } = filter;
  const listed = new Uint32Array(events.startNs.length);
  let count = 0;
  for (let at = 0; at < listed.length; at++) {
    const startNs = events.startNs[at] ?? 0;
    if (startNs >= toNs) break;
    if (laneFits[events.lane[at] ?? 0] === 0 || nameFits[events.name[at] ?? 0] === 0) continue;
    const durationNs = events.durationNs[at] ?? 0;
    if (durationNs < minDurationNs || durationNs > maxDurationNs) continue;
    if (startNs + durationNs <= fromNs && startNs < fromNs) continue;
    const bytes = events.bytes[at] ?? 0;
    // A size that is not known is within no bounds.
    if ((minBytes !== undefined && !(bytes >= minBytes)) || (maxBytes !== undefined && !(bytes <= maxBytes))) continue;
    if (layer !== undefined && events.layer[at] !== layer) continue;
    listed[count++] = at;
  }
  return listed.slice(0, count);
}

function sorted(indexed: IndexedTimeline, listed: Uint32Array, sort: TableSort): Uint32Array {
  if (sort.by === "start") return sort.descending ? listed.reverse() : listed;
  const keys = sortKeys(indexed, sort);
  // Descending by complement, not by turning the list around: ties keep the order of start.
  if (sort.descending) {
    let largest = 0;
    for (const key of keys) largest = Math.max(largest, key);
    for (let at = 0; at < keys.length; at++) keys[at] = largest - (keys[at] ?? 0);
  }
  return sortByKey(listed, keys);
}

/** One non-negative number per event whose order is the asked one. */
function sortKeys({ timeline }: IndexedTimeline, sort: TableSort): Float64Array {
  const { events, lanes, strings } = timeline;
  switch (sort.by) {
    case "duration":
      return events.durationNs.slice();
    case "bytes":
      return events.bytes.map((bytes) => (Number.isNaN(bytes) ? 0 : bytes + 1));
    case "layer":
      return Float64Array.from(events.layer, (layer) => layer + 1);
    case "name":
      return ranked(events.name, strings);
    case "stream":
      return ranked(
        events.lane,
        lanes.map((lane) => lane.stream),
      );
    case "start":
      return events.startNs.map((startNs) => startNs - (events.startNs[0] ?? 0));
  }
}

function ranked(column: Uint32Array, texts: readonly string[]): Float64Array {
  const collator = new Intl.Collator("en", { numeric: true });
  const order = texts.map((_, at) => at).sort((a, b) => collator.compare(texts[a] ?? "", texts[b] ?? ""));
  const rank = new Uint32Array(texts.length);
  let distinct = 0;
  order.forEach((text, at) => {
    if (at > 0 && collator.compare(texts[order[at - 1] ?? 0] ?? "", texts[text] ?? "") !== 0) distinct++;
    rank[text] = distinct;
  });
  return Float64Array.from(column, (text) => rank[text] ?? 0);
}

function isByStart(sort: TableSort | undefined): boolean {
  return sort === undefined || (sort.by === "start" && !sort.descending);
}

function firstNotBelow(listed: Uint32Array, event: number): number {
  let low = 0;
  let high = listed.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((listed[middle] ?? 0) < event) low = middle + 1;
    else high = middle;
  }
  return low;
}
