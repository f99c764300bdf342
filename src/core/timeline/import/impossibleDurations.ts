import { formatNs } from "../../base/quantities.js";
import type { EventColumns, Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { isCopy } from "../columns/laneWork.js";
import { runsOnDevice } from "../metrics/metrics.js";
import { streamNumbers } from "../metrics/overlaps.js";
import type { ReportBuilder } from "./reportBuilder.js";

/** Kernels may start a little early, and clocks have steps; see `findStreamOverlap`. */
const NO_CONTRADICTION_NS = 20_000;
/** How much longer than all other work of its stream something is that cannot be: with several pieces of work inside, or fewer. */
const LONGER = 10;
const MUCH_LONGER = 50;
const SEVERAL = 3;
/** Where more of the work of a stream is contradicted, rather the streams are wrong than the durations. */
const MOST_SHARE = 0.1;

/** A piece of work that ends after the next work of its stream has begun. */
interface Contradicted {
  readonly event: number;
  readonly stream: number;
  readonly nextNs: number;
}

/**
 * Cuts what cannot have lasted as long as the file says: work of a device whose stream did other things meanwhile (it ends where
 * the next begins), and what ends long after everything else in the file and alone (it ends with the rest). Work becomes
 * `EventKind.doubtful`: neither its end nor its length is known, so that no figure counts it.
 */
export function cutImpossible(timeline: Timeline, report: ReportBuilder): void {
  const { events, strings } = timeline;
  const cut = new Map<number, number>();
  for (const { event, nextNs } of contradicted(timeline)) cut.set(event, nextNs);
  for (const [event, endNs] of loneEnds(events)) if (!cut.has(event)) cut.set(event, endNs);
  // From the last to the first: what moves behind its equals moves nothing that still has to be looked at.
  for (const event of [...cut.keys()].sort((a, b) => b - a)) {
    const startNs = events.startNs[event] ?? 0;
    const saidNs = events.durationNs[event] ?? 0;
    report.note("DURATION_IMPOSSIBLE", null, () => {
      const name = (strings[events.name[event] ?? 0] ?? "").slice(0, 80);
      const [next, then] = [cut.get(event) ?? 0, startNs + saidNs];
      return `${name} says ${formatNs(saidNs)} but can have lasted ${formatNs(Math.max(0, next - startNs))}, ${formatNs(then - next)} less`;
    });
    events.durationNs[event] = Math.max(0, (cut.get(event) ?? 0) - startNs);
    events.kind[event] = EventKind.doubtful;
    moveBehindEquals(events, event);
  }
  noteZeros(events, report);
}

function contradicted(timeline: Timeline): Contradicted[] {
  const { events, lanes } = timeline;
  const streamOf = streamNumbers(lanes);
  const nextOf = new Float64Array(lanes.length).fill(Infinity);
  const found: Contradicted[] = [];
  for (let at = events.startNs.length - 1; at >= 0; at--) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    const stream = streamOf[events.lane[at] ?? 0] ?? 0;
    const startNs = events.startNs[at] ?? 0;
    const nextNs = nextOf[stream] ?? Infinity;
    if (startNs + (events.durationNs[at] ?? 0) - nextNs > NO_CONTRADICTION_NS)
      found.push({ event: at, stream, nextNs });
    nextOf[stream] = startNs;
  }
  return found.length === 0 ? [] : believable(timeline, streamOf, found);
}

/** Those that stand out so far that the duration is wrong, rather than the stream. */
function believable({ events, lanes }: Timeline, streamOf: Uint32Array, found: Contradicted[]): Contradicted[] {
  const suspects = new Set(found.map(({ event }) => event));
  const longestNs = new Float64Array(lanes.length);
  const works = new Uint32Array(lanes.length);
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    const stream = streamOf[events.lane[at] ?? 0] ?? 0;
    works[stream] = (works[stream] ?? 0) + 1;
    if (!suspects.has(at)) longestNs[stream] = Math.max(longestNs[stream] ?? 0, events.durationNs[at] ?? 0);
  }
  const outstanding = found.filter(({ event, stream }) => {
    const kind = events.kind[event];
    const factor = isCopy(kind ?? EventKind.other) && hasSeveralInside(events, streamOf, event) ? LONGER : MUCH_LONGER;
    return (events.durationNs[event] ?? 0) > factor * (longestNs[stream] ?? 0);
  });
  const perStream = new Map<number, number>();
  for (const { stream } of outstanding) perStream.set(stream, (perStream.get(stream) ?? 0) + 1);
  return outstanding.filter(
    ({ stream }) => (perStream.get(stream) ?? 0) <= Math.max(1, (works[stream] ?? 0) * MOST_SHARE),
  );
}

/** Whether several pieces of work of its stream begin while the event is said to last. */
function hasSeveralInside(events: EventColumns, streamOf: Uint32Array, event: number): boolean {
  const stream = streamOf[events.lane[event] ?? 0];
  const endNs = (events.startNs[event] ?? 0) + (events.durationNs[event] ?? 0);
  let inside = 0;
  for (let at = event + 1; at < events.startNs.length && (events.startNs[at] ?? 0) < endNs; at++) {
    if (streamOf[events.lane[at] ?? 0] !== stream || !runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    if (++inside >= SEVERAL) return true;
  }
  return false;
}

/** Beyond the last start by more than this, and by ten times the recording, nothing can end that nothing else agrees with. */
const LEAST_BEYOND_NS = 1e9;
const BEYOND_SPANS = 10;
const MOST_LONE = 64;

/** Work that ends far beyond everything else, with the end of the rest; ends that agree with each other are believed. */
function loneEnds({ startNs, durationNs, kind }: EventColumns): [event: number, endNs: number][] {
  const lastNs = startNs.at(-1) ?? 0;
  const limitNs = lastNs + Math.max(LEAST_BEYOND_NS, BEYOND_SPANS * lastNs);
  const beyond: number[] = [];
  let restEndNs = lastNs;
  for (let at = 0; at < startNs.length; at++) {
    const endNs = (startNs[at] ?? 0) + (durationNs[at] ?? 0);
    if (endNs <= limitNs) restEndNs = Math.max(restEndNs, endNs);
    else if (beyond.push(at) > MOST_LONE) return [];
  }
  if (beyond.length === 0 || beyond.length * 4 > startNs.length) return [];
  const restOf = (at: number) => (startNs[at] ?? 0) + (durationNs[at] ?? 0) - lastNs;
  const isLone = (at: number) =>
    beyond.every((other) => other === at || Math.abs(restOf(other) - restOf(at)) > restOf(at) / 10);
  // A file may be an excerpt: what the host says of the whole recording then ends later than what is left of it.
  return beyond
    .filter((at) => runsOnDevice(kind[at] ?? EventKind.other) && isLone(at))
    .map((event) => [event, restEndNs]);
}

/** Restores the order of the columns, longer first, after the event has become shorter. */
function moveBehindEquals(events: EventColumns, event: number): void {
  const { startNs, durationNs, lane, name, layer, bytes, kind, dependsOn, correlation } = events;
  const columns = [
    durationNs,
    lane,
    name,
    layer,
    bytes,
    kind,
    dependsOn,
    ...(correlation === undefined ? [] : [correlation]),
  ];
  for (let at = event; startNs[at + 1] === startNs[at] && (durationNs[at + 1] ?? 0) > (durationNs[at] ?? 0); at++)
    for (const column of columns) [column[at], column[at + 1]] = [column[at + 1] ?? 0, column[at] ?? 0];
}

/** Work that all lasts no time was recorded without its ends. */
function noteZeros({ kind, durationNs }: EventColumns, report: ReportBuilder): void {
  let works = 0;
  for (let at = 0; at < kind.length; at++) {
    if (!runsOnDevice(kind[at] ?? EventKind.other)) continue;
    if ((durationNs[at] ?? 0) > 0) return;
    works++;
  }
  if (works > 1) report.noteMany("DURATIONS_ZERO", works, null, () => "");
}
