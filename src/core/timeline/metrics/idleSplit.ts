import type { EventColumns, Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { launchOf } from "../columns/launches.js";
import type { IdleSplit } from "./analysisTypes.js";
import { type MeasureScope, runsOnDevice } from "./metrics.js";

/** A stretch of a device without work, and what lies at its edges. */
interface Gap {
  readonly startNs: number;
  readonly endNs: number;
  /** The event with whose end it begins, and the one that ends it; -1 where there is none. */
  readonly before: number;
  readonly after: number;
}

/** Waits of the host or of compute streams, ascending by start. */
interface Wait {
  readonly startNs: number;
  readonly endNs: number;
  /** Kind of the event that was waited for, where the recorder wrote it. */
  readonly forKind: number;
}

/**
 * Splits the time in which nothing ran on the device by what it waited for. A gap that ends with work launched only after the
 * gap began is the host's: it counts as waiting for a copy or a collective where the host stood in a synchronisation and that
 * is what ran last, else the host was late. Our own recordings name what each wait was for. Of a range the parts of the gaps
 * inside of it count; what lies before the first or after the last work of the device is other idle time.
 */
export function splitIdle(timeline: Timeline, scope: MeasureScope = {}): IdleSplit {
  const calls = launchOf(timeline);
  const { waits, longest } = waitsOf(timeline);
  const { events } = timeline;
  const sums = { hostLateNs: 0, copyWaitNs: 0, collectiveWaitNs: 0, otherNs: 0 };
  let idleNs = 0;
  let after = 0;
  for (const gap of gapsOf(timeline, scope)) {
    const partNs = overlapNs(gap, gap.startNs, gap.endNs, scope.range);
    idleNs += partNs;
    while (after < waits.length && (waits[after]?.startNs ?? 0) < gap.endNs) after++;
    const near = waits.slice(Math.max(0, after - LOOK_BACK), after);
    const wait = longestWait(near.concat(longest[after - 1] ?? []), gap);
    const cause = wait === undefined ? undefined : causeOf(wait, events.kind[gap.before] ?? EventKind.other);
    const waitedNs =
      wait === undefined || cause === undefined ? 0 : overlapNs(gap, wait.startNs, wait.endNs, scope.range);
    if (cause !== undefined) sums[cause] += waitedNs;
    const call = calls?.[gap.after] ?? -1;
    const lateNs = call < 0 ? 0 : overlapNs(gap, gap.startNs, events.startNs[call] ?? 0, scope.range);
    const late = Math.max(0, lateNs - waitedNs);
    sums.hostLateNs += late;
    sums.otherNs += partNs - waitedNs - late;
  }
  return { idleNs, ...sums };
}

/** How much of `[fromNs, toNs)` lies in a gap, and in the range where one is given. */
function overlapNs(gap: Gap, fromNs: number, toNs: number, range: MeasureScope["range"]): number {
  const from = Math.max(gap.startNs, fromNs, range?.fromNs ?? -Infinity);
  return Math.max(0, Math.min(gap.endNs, toNs, range?.toNs ?? Infinity) - from);
}

/** The split of a whole timeline, computed once. */
export function idleOf(indexed: { readonly timeline: Timeline; idle: IdleSplit | null }): IdleSplit {
  indexed.idle ??= splitIdle(indexed.timeline);
  return indexed.idle;
}

function causeOf(wait: Wait, beforeKind: number): "copyWaitNs" | "collectiveWaitNs" | undefined {
  const kind = wait.forKind >= 0 ? wait.forKind : beforeKind;
  if (kind === EventKind.copyD2H || kind === EventKind.copyH2D) return "copyWaitNs";
  return kind === EventKind.collective ? "collectiveWaitNs" : undefined;
}

/** Waits that began just before a gap ended: more than one per thread is rare. */
const LOOK_BACK = 16;

/** For each wait the one that lasts longest among it and those before: a long one may cover gaps far behind its start. */
function longestSoFar(waits: readonly Wait[]): Wait[] {
  let longest: Wait | undefined;
  return waits.map((wait) => {
    if (longest === undefined || wait.endNs > longest.endNs) longest = wait;
    return longest;
  });
}

/** The wait that covers most of the gap. */
function longestWait(waits: readonly Wait[], gap: Gap): Wait | undefined {
  let best: Wait | undefined;
  let bestNs = 0;
  for (const wait of waits) {
    const ns = Math.min(wait.endNs, gap.endNs) - Math.max(wait.startNs, gap.startNs);
    if (ns <= bestNs) continue;
    best = wait;
    bestNs = ns;
  }
  return best;
}

/** Gaps that touch the range, uncut; those at its edges may have no work before or after them. */
function gapsOf(timeline: Timeline, { device, range, firstEvent = 0 }: MeasureScope): Gap[] {
  const { events, lanes } = timeline;
  const isMeant = lanes.map((lane) => device === undefined || lane.device === undefined || lane.device === device);
  const isWork = (at: number) =>
    runsOnDevice(events.kind[at] ?? EventKind.other) && isMeant[events.lane[at] ?? 0] === true;
  const gaps: Gap[] = [];
  let last = lastEndingBefore(events, firstEvent, isWork);
  let reachedNs = last < 0 ? (range?.fromNs ?? Infinity) : endOf(events, last);
  for (let at = firstEvent; at < events.startNs.length; at++) {
    if (!isWork(at)) continue;
    const startNs = events.startNs[at] ?? 0;
    if (startNs > reachedNs) gaps.push({ startNs: reachedNs, endNs: startNs, before: last, after: at });
    if (range !== undefined && startNs >= range.toNs) return gaps;
    const endNs = endOf(events, at);
    if (last >= 0 && endNs <= reachedNs) continue;
    reachedNs = endNs;
    last = at;
  }
  if (range !== undefined && reachedNs < range.toNs)
    gaps.push({ startNs: reachedNs, endNs: range.toNs, before: last, after: -1 });
  return gaps;
}

/** The work among the events before `firstEvent` that ends last; -1 where there is none. */
function lastEndingBefore(events: EventColumns, firstEvent: number, isWork: (at: number) => boolean): number {
  let last = -1;
  for (let at = firstEvent - 1, looked = 0; at >= 0 && looked < LOOK_BACK; at--) {
    if (!isWork(at)) continue;
    looked++;
    if (last < 0 || endOf(events, at) > endOf(events, last)) last = at;
  }
  return last;
}

function endOf(events: EventColumns, at: number): number {
  return (events.startNs[at] ?? 0) + (events.durationNs[at] ?? 0);
}

interface Waits {
  readonly waits: readonly Wait[];
  /** As `longestSoFar` says. */
  readonly longest: readonly Wait[];
}

/** Every selection asks for them; events never change. */
const known = new WeakMap<EventColumns, Waits>();

function waitsOf(timeline: Timeline): Waits {
  let found = known.get(timeline.events);
  if (found === undefined) {
    const waits = findWaits(timeline);
    found = { waits, longest: longestSoFar(waits) };
    known.set(timeline.events, found);
  }
  return found;
}

function findWaits({ events, lanes }: Timeline): Wait[] {
  const waits: Wait[] = [];
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    const isStreamWait = kind === EventKind.streamWait && lanes[events.lane[at] ?? 0]?.role === "compute";
    if (kind !== EventKind.hostWait && !isStreamWait) continue;
    const startNs = events.startNs[at] ?? 0;
    const other = events.dependsOn[at] ?? -1;
    waits.push({
      startNs,
      endNs: startNs + (events.durationNs[at] ?? 0),
      forKind: other < 0 ? -1 : (events.kind[other] ?? -1),
    });
  }
  return waits;
}
