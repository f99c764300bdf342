import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { launchOf } from "../columns/launches.js";

/** Smaller copies are scalars and indices that the program reads, never activations. */
const LEAST_BYTES = 16 * 1024;
/** In an offload the copies out come in a row, then those back; fewer in a row is another traffic (weights, gradients). */
const LEAST_RUN = 3;

/** Of the last step's copies out; fewer without a partner are lost reloads. */
const CUT_OFF_SHARE = 0.25;

/** A copy to the host and the copy that brings it back. */
export interface OffloadPair {
  readonly offload: number;
  readonly reload: number;
}

/** Copies of one size on one device that follow the pattern of activation offload. */
export interface OffloadClass {
  readonly device: number | null;
  readonly bytes: number;
  readonly pairs: readonly OffloadPair[];
  /** Copies out that nothing brings back. */
  readonly unpaired: readonly number[];
  /** Whether these are a large part of the last step's: then the recording ended before backward did. */
  readonly isCutOff: boolean;
  /** Copies back without a copy out: the recording began after it. */
  readonly orphans: readonly number[];
}

/**
 * Pairs the copies of activation offload. A trace has no addresses; what it has is the order in which the program launched
 * copies. Backward needs layers in the reverse order of forward, so a copy back belongs to the last copy out of the same size
 * that is not back yet. The order of launches counts where it is known: the order on the device is what is to be checked.
 * Sizes whose copies out and back alternate are left out: they are other traffic, and the rule would pair them wrongly.
 */
export function pairOffloads(timeline: Timeline): OffloadClass[] {
  const { events, lanes } = timeline;
  const classes = new Map<string, number[]>();
  for (let at = 0; at < events.startNs.length; at++) {
    const kind = events.kind[at];
    if (kind !== EventKind.copyD2H && kind !== EventKind.copyH2D) continue;
    const bytes = events.bytes[at] ?? 0;
    if (!(bytes >= LEAST_BYTES)) continue;
    const key = `${lanes[events.lane[at] ?? 0]?.device ?? ""}/${bytes}`;
    const members = classes.get(key);
    if (members === undefined) classes.set(key, [at]);
    else members.push(at);
  }
  const calls = launchOf(timeline);
  const launchedNs = (event: number) => {
    const call = calls?.[event] ?? -1;
    return events.startNs[call < 0 ? event : call] ?? 0;
  };
  return [...classes.values()].flatMap((members) => {
    members.sort((a, b) => launchedNs(a) - launchedNs(b) || a - b);
    return isOffload(timeline, members) ? [pairClass(timeline, members)] : [];
  });
}

/** Copies out and back in long runs, about as many of the one as of the other. */
function isOffload({ events }: Timeline, members: readonly number[]): boolean {
  let out = 0;
  let back = 0;
  let runs = 0;
  let before: number | undefined;
  for (const event of members) {
    const kind = events.kind[event];
    if (kind === EventKind.copyD2H) {
      out++;
      if (before !== EventKind.copyD2H) runs++;
    } else back++;
    before = kind;
  }
  if (out === 0 || back === 0) return false;
  return out <= LEAST_RUN
    ? runs === 1 && Math.abs(out - back) <= 1
    : out >= runs * LEAST_RUN && back >= out / 2 && out >= back / 2;
}

function pairClass({ events, lanes }: Timeline, members: readonly number[]): OffloadClass {
  const open: number[] = [];
  const pairs: OffloadPair[] = [];
  const orphans: number[] = [];
  let lastRun: number[] = [];
  let isInRun = false;
  for (const event of members) {
    if (events.kind[event] === EventKind.copyD2H) {
      if (!isInRun) lastRun = [];
      isInRun = true;
      lastRun.push(event);
      open.push(event);
      continue;
    }
    isInRun = false;
    const offload = open.pop();
    if (offload === undefined) orphans.push(event);
    else pairs.push({ offload, reload: event });
  }
  const last = new Set(lastRun);
  const ofLastRun = open.filter((event) => last.has(event)).length;
  const isCutOff = ofLastRun === open.length && ofLastRun > lastRun.length * CUT_OFF_SHARE;
  const first = members[0] ?? 0;
  const device = lanes[events.lane[first] ?? 0]?.device ?? null;
  return { device, bytes: events.bytes[first] ?? 0, pairs, unpaired: open, isCutOff, orphans };
}
