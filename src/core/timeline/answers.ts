import { fail, type Outcome, succeed } from "../outcome.js";
import { EventKind, type EventKindValue } from "./columns.js";
import { firstAtLeast } from "./eventRows.js";
import type { IndexedProfile, IndexedTimeline } from "./indexedTimeline.js";
import { sliceMemory } from "./memorySlices.js";
import type { Answer, Answers, EventDetails, Question, TableFilter } from "./protocol.js";
import { nearestEvent, sliceRow } from "./slices.js";

/** More boxes than any screen has pixels, and a bound on what one question can cost. */
const MAX_PIXELS = 32_768;
const MAX_TABLE_PAGE = 1_000;

/**
 * Answers one question of the page. Fails with `TIMELINE_ABSENT` where the run has none (or the file changed meanwhile) and
 * `EVENT_ABSENT` where the event does not exist.
 */
export function answerQuestion(profile: IndexedProfile, question: Question): Outcome<Answer> {
  const indexed = profile.timelines[question.run] ?? null;
  if (indexed === null) return fail(absent("TIMELINE_ABSENT", `Run ${question.run} has no recorded timeline.`));
  if ("event" in question && !hasEvent(indexed, question.event))
    return fail(absent("EVENT_ABSENT", `Event ${question.event} is not in the timeline of run ${question.run}.`));
  switch (question.kind) {
    case "view":
      return succeed(view(indexed, question.fromNs, question.toNs, question.pixelNs));
    case "event":
      return succeed(detailsOf(indexed, question.event));
    case "nearest":
      return succeed({ event: nearest(indexed, question.row, question.timeNs) });
    case "neighbour":
      return succeed({ event: neighbour(indexed, question.event, question.step) });
    case "table":
      return succeed(tablePage(indexed, question.filter, question.position, question.count));
    case "locate":
      return succeed({ position: locate(indexed, question.filter, question.event) });
  }
}

function absent(code: string, message: string) {
  return { code, message, nextStep: "Close the tab and open the file again." };
}

function hasEvent(indexed: IndexedTimeline, event: number): boolean {
  return Number.isInteger(event) && event >= 0 && event < indexed.timeline.events.startNs.length;
}

function view(indexed: IndexedTimeline, fromNs: number, toNs: number, askedPixelNs: number): Answers["view"] {
  const pixelNs = Math.max(askedPixelNs, (toNs - fromNs) / MAX_PIXELS, 1e-3);
  const { events, memory } = indexed.timeline;
  return {
    fromNs,
    toNs,
    pixelNs,
    rows: indexed.rows.map((row) => sliceRow(row, events, fromNs, toNs, pixelNs)),
    memory: memory.map((curve) => sliceMemory(curve, fromNs, toNs, pixelNs)),
  };
}

function nearest(indexed: IndexedTimeline, row: number, timeNs: number): EventDetails | null {
  const asked = indexed.rows[row];
  const event = asked === undefined ? undefined : nearestEvent(asked, timeNs);
  return event === undefined ? null : detailsOf(indexed, event);
}

/** Next or previous event of the same lane in order of start, whichever row it is drawn in. */
function neighbour(indexed: IndexedTimeline, event: number, step: 1 | -1): EventDetails | null {
  const { lane } = indexed.timeline.events;
  for (let at = event + step; at >= 0 && at < lane.length; at += step)
    if (lane[at] === lane[event]) return detailsOf(indexed, at);
  return null;
}

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
    bytes: events.bytes[event] ?? 0,
    hiddenNs: canBeHidden(kind) ? coveredNs(indexed, startNs, startNs + durationNs) : null,
    waitedFor: other < 0 ? null : waitedFor(indexed, other),
  };
}

function waitedFor(indexed: IndexedTimeline, event: number): EventDetails["waitedFor"] {
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

function canBeHidden(kind: EventKindValue): boolean {
  return kind === EventKind.copyD2H || kind === EventKind.copyH2D || kind === EventKind.collective;
}

function coveredNs(indexed: IndexedTimeline, startNs: number, endNs: number): number {
  const { startNs: starts, endNs: ends } = indexed.compute;
  let covered = 0;
  for (let at = firstAtLeast(ends, startNs); at < starts.length && (starts[at] ?? 0) < endNs; at++)
    covered += Math.max(0, Math.min(endNs, ends[at] ?? 0) - Math.max(startNs, starts[at] ?? 0));
  return covered;
}

function tablePage(indexed: IndexedTimeline, filter: TableFilter, position: number, count: number): Answers["table"] {
  const listed = filtered(indexed, filter);
  const from = Math.max(0, Math.min(Math.floor(position) || 0, listed.length));
  const events = listed.subarray(from, from + Math.min(MAX_TABLE_PAGE, Math.max(0, count)));
  return { total: listed.length, position: from, events: Array.from(events, (event) => detailsOf(indexed, event)) };
}

function locate(indexed: IndexedTimeline, filter: TableFilter, event: number): number | null {
  const listed = filtered(indexed, filter);
  let low = 0;
  let high = listed.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((listed[middle] ?? 0) < event) low = middle + 1;
    else high = middle;
  }
  return listed[low] === event ? low : null;
}

function filtered(indexed: IndexedTimeline, filter: TableFilter): Uint32Array {
  const kept = indexed.table;
  if (kept !== null && kept.filter.role === filter.role && kept.filter.text === filter.text) return kept.events;
  const events = listEvents(indexed, filter);
  indexed.table = { filter, events };
  return events;
}

function listEvents(indexed: IndexedTimeline, filter: TableFilter): Uint32Array {
  const { events, lanes, strings } = indexed.timeline;
  const wanted = filter.text.toLowerCase();
  const nameFits = strings.map((name) => name.toLowerCase().includes(wanted));
  const laneFits = lanes.map((lane) => filter.role === null || lane.role === filter.role);
  const listed = new Uint32Array(events.startNs.length);
  let count = 0;
  for (let at = 0; at < listed.length; at++)
    if (laneFits[events.lane[at] ?? 0] === true && nameFits[events.name[at] ?? 0] === true) listed[count++] = at;
  return listed.subarray(0, count);
}
