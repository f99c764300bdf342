import { firstAtLeast } from "../../columns/eventRows.js";

const SECOND_NS = 1e9;
/** A pause of this length ends a recording, unless the recording itself is long: `PAUSE_SPANS` times its length. */
export const PAUSE_NS = 600 * SECOND_NS;
const PAUSE_SPANS = 100;
/** More groups are no accident: such a file lists events of many hours. */
const MOST_GROUPS = 16;
/** Events, and share of all of them, that a group must have so that the others can be called strays. */
const LEAST_EVENTS = 3;
const LEAST_SHARE = 0.2;

/** Work that begins and ends at the time 0, so many pieces at once, was written without times. */
const SEVERAL = 3;

interface Group {
  readonly from: number;
  readonly to: number;
}

/** What is known of the events, by their place in the order of time. */
export interface TimedEvents {
  /** Ascending. */
  readonly startNs: Float64Array;
  durationNs(at: number): number;
  isWork(at: number): boolean;
}

/**
 * Places `[from, to)` of the events that are one recording: all, unless some lie at `zeroNs` (the time 0 of the file) far from
 * the rest, or days away. Of several groups the one with most work of devices stays, then the one with most events.
 */
export function mainGroup(events: TimedEvents, zeroNs: number): Group {
  const { startNs } = events;
  const whole = { from: 0, to: startNs.length };
  const zero = zeroGroup(events, zeroNs);
  const groups = splitAtPauses(startNs, zero);
  if (groups.length < 2 || groups.length > MOST_GROUPS) return whole;
  // A pause around the time 0 says the same as no length.
  const timed = groups.filter(({ from, to }) => startNs[from] !== zeroNs || startNs[to - 1] !== zeroNs);
  const [first, ...others] = timed;
  if (first === undefined) return whole;
  const main = others.reduce((best, group) => (isLarger(events, group, best) ? group : best), first);
  const least = Math.max(LEAST_EVENTS, LEAST_SHARE * timedEvents(timed));
  if (timed.length > 1 && main.to - main.from < least) return whole;
  return withNeighbours(startNs, timed, main);
}

/**
 * Events at exactly 0 that last no time, work of devices among them: far from all others, or so much work that a device cannot
 * have begun it at once.
 */
function zeroGroup(events: TimedEvents, zeroNs: number): Group | undefined {
  const { startNs } = events;
  const from = firstAtLeast(startNs, zeroNs);
  let to = from;
  while (startNs[to] === zeroNs) to++;
  if (to === from || to - from === startNs.length) return undefined;
  const before = zeroNs - (startNs[from - 1] ?? -Infinity);
  const after = (startNs[to] ?? Infinity) - zeroNs;
  const isFar = before >= SECOND_NS && after >= SECOND_NS;
  let works = 0;
  for (let at = from; at < to; at++) {
    if (events.durationNs(at) !== 0) return undefined;
    if (events.isWork(at)) works++;
  }
  const isMissing = works >= (isFar ? 1 : SEVERAL) && (isFar || from === 0);
  return isMissing ? { from, to } : undefined;
}

function splitAtPauses(startNs: Float64Array, zero: Group | undefined): Group[] {
  const groups: Group[] = [];
  let from = 0;
  for (let at = 1; at <= startNs.length; at++) {
    const isPause = (startNs[at] ?? Infinity) - (startNs[at - 1] ?? 0) > PAUSE_NS;
    if (!isPause && at !== zero?.from && at !== zero?.to) continue;
    groups.push({ from, to: at });
    from = at;
    if (groups.length > MOST_GROUPS) break;
  }
  return groups;
}

function isLarger(events: TimedEvents, group: Group, than: Group): boolean {
  const [work, otherWork] = [workIn(events, group), workIn(events, than)];
  return work !== otherWork ? work > otherWork : group.to - group.from >= than.to - than.from;
}

function workIn(events: TimedEvents, { from, to }: Group): number {
  let count = 0;
  for (let at = from; at < to; at++) if (events.isWork(at)) count++;
  return count;
}

function timedEvents(groups: readonly Group[]): number {
  return groups.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** A long recording may have long pauses: groups that lie near for its length belong to it. */
function withNeighbours(startNs: Float64Array, groups: readonly Group[], main: Group): Group {
  let { from, to } = main;
  const isNear = (gapNs: number) =>
    gapNs <= Math.max(PAUSE_NS, PAUSE_SPANS * ((startNs[to - 1] ?? 0) - (startNs[from] ?? 0)));
  const at = groups.indexOf(main);
  for (const group of groups.slice(at + 1)) {
    if (group.from !== to || !isNear((startNs[group.from] ?? 0) - (startNs[to - 1] ?? 0))) break;
    to = group.to;
  }
  for (const group of groups.slice(0, at).reverse()) {
    if (group.to !== from || !isNear((startNs[from] ?? 0) - (startNs[group.to - 1] ?? 0))) break;
    from = group.from;
  }
  return { from, to };
}
