import type { IdleSplit } from "./analysisTypes.js";
import { EventKind, type Timeline } from "./columns.js";
import { launchOf } from "./launches.js";
import { runsOnDevice } from "./metrics.js";

/** A stretch of a device without work, and what lies at its edges. */
interface Gap {
  readonly startNs: number;
  readonly endNs: number;
  /** The event with whose end it begins, and the one that ends it. */
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
 * is what ran last, else the host was late. Our own recordings name what each wait was for.
 */
export function splitIdle(timeline: Timeline, device?: number): IdleSplit {
  const gaps = gapsOf(timeline, device);
  const calls = launchOf(timeline);
  const waits = waitsOf(timeline);
  const { events } = timeline;
  const sums = { hostLateNs: 0, copyWaitNs: 0, collectiveWaitNs: 0, otherNs: 0 };
  let idleNs = 0;
  const longest = longestSoFar(waits);
  let after = 0;
  for (const gap of gaps) {
    idleNs += gap.endNs - gap.startNs;
    while (after < waits.length && (waits[after]?.startNs ?? 0) < gap.endNs) after++;
    const near = waits.slice(Math.max(0, after - LOOK_BACK), after);
    const wait = longestWait(near.concat(longest[after - 1] ?? []), gap);
    const call = calls?.[gap.after] ?? -1;
    const callNs = call < 0 ? -Infinity : (events.startNs[call] ?? 0);
    const lateNs = calls === null ? 0 : Math.min(gap.endNs, Math.max(gap.startNs, callNs)) - gap.startNs;
    const waitedNs = wait === undefined ? 0 : Math.min(wait.endNs, gap.endNs) - Math.max(wait.startNs, gap.startNs);
    const cause = wait === undefined ? undefined : causeOf(wait, events.kind[gap.before] ?? EventKind.other);
    if (cause !== undefined) sums[cause] += waitedNs;
    const counted = cause === undefined ? 0 : waitedNs;
    const late = Math.max(0, lateNs - counted);
    sums.hostLateNs += late;
    sums.otherNs += gap.endNs - gap.startNs - counted - late;
  }
  return { idleNs, ...sums };
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

function gapsOf({ events, lanes }: Timeline, device: number | undefined): Gap[] {
  const gaps: Gap[] = [];
  let reachedNs = -Infinity;
  let last = -1;
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    const laneDevice = lanes[events.lane[at] ?? 0]?.device;
    if (device !== undefined && laneDevice !== undefined && laneDevice !== device) continue;
    const startNs = events.startNs[at] ?? 0;
    const endNs = startNs + (events.durationNs[at] ?? 0);
    if (endNs === startNs) continue;
    if (last >= 0 && startNs > reachedNs) gaps.push({ startNs: reachedNs, endNs: startNs, before: last, after: at });
    if (endNs <= reachedNs) continue;
    reachedNs = endNs;
    last = at;
  }
  return gaps;
}

function waitsOf({ events, lanes }: Timeline): Wait[] {
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
