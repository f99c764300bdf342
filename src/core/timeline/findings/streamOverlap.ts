import { formatNs, formatShare, grouped } from "../../base/quantities.js";
import type { Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { runsOnDevice } from "../metrics/metrics.js";
import { eachOverlap } from "../metrics/overlaps.js";
import { type Finding, MAX_FINDING_EVENTS } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { endOf, findingEvents } from "./findingEvents.js";

/** A kernel that was launched to start early does so by less than this (3.7 µs at most on a B200). */
const EARLY_NS = 5_000;
/** Recorders with coarse clocks add to it (13 µs seen); so much is believed only of a small part of the work. */
const COARSE_EARLY_NS = 20_000;
const COARSE_SHARE = 0.1;
/** GPUs count time in steps of tens of nanoseconds, and the recorder puts it on another clock. */
const CLOCK_NS = 100;

/** Overlaps of one kind. */
class Overlaps {
  count = 0;
  sumNs = 0;
  largestNs = 0;
  /** Earlier and later event, in turn; the first few. */
  readonly pairs: number[] = [];

  add(earlier: number, event: number, ns: number): void {
    this.count++;
    this.sumNs += ns;
    this.largestNs = Math.max(this.largestNs, ns);
    if (this.pairs.length < MAX_FINDING_EVENTS) this.pairs.push(earlier, event);
  }
}

/**
 * Work of one stream that overlaps. Kernels may: from compute capability 9.0 on one can be launched to start before the one before
 * it has ended. Clocks have steps, which anything may overlap by. All else is an error of the recording: a stream does one thing
 * after the other.
 */
export function findStreamOverlap({ timeline }: IndexedTimeline): Finding[] {
  const [early, coarse, wrong] = [new Overlaps(), new Overlaps(), new Overlaps()];
  const all: [earlier: number, event: number, ns: number][] = [];
  eachOverlap(timeline, (earlier, event) => {
    if (runsQueues(timeline, event)) return;
    const endNs = Math.min(endOf(timeline, earlier), endOf(timeline, event));
    all.push([earlier, event, endNs - (timeline.events.startNs[event] ?? 0)]);
  });
  if (all.length === 0) return [];
  const clockNs = Math.max(CLOCK_NS, 2 * clockStepNs(timeline));
  for (const [earlier, event, ns] of all) {
    const areKernels = isKernel(timeline, earlier) && isKernel(timeline, event);
    if (ns <= clockNs || (areKernels && ns < EARLY_NS)) early.add(earlier, event, ns);
    else (areKernels && ns <= COARSE_EARLY_NS ? coarse : wrong).add(earlier, event, ns);
  }
  const workNs = workOf(timeline);
  const isBelieved = early.sumNs + coarse.sumNs <= workNs * COARSE_SHARE;
  return [
    ...overlapError(timeline, isBelieved ? wrong : joined(coarse, wrong)),
    ...overlapByDesign(timeline, isBelieved ? joined(early, coarse) : early, workNs),
  ];
}

function joined(a: Overlaps, b: Overlaps): Overlaps {
  const both = new Overlaps();
  both.count = a.count + b.count;
  both.sumNs = a.sumNs + b.sumNs;
  both.largestNs = Math.max(a.largestNs, b.largestNs);
  both.pairs.push(...[...a.pairs, ...b.pairs].slice(0, MAX_FINDING_EVENTS));
  return both;
}

function overlapError(timeline: Timeline, { count, largestNs, pairs }: Overlaps): Finding[] {
  const [from, to] = pairs;
  if (from === undefined || to === undefined) return [];
  return [
    {
      code: "OVERLAP_IN_STREAM",
      severity: "error",
      message: `${count === 1 ? "1 piece of work begins" : `${grouped(count)} pieces of work begin`} before an earlier one of the same stream has ended, by up to ${formatNs(largestNs)}.`,
      explanation:
        "A stream does one thing after the other; only kernels may start a few microseconds early. Either the recording has wrong times, or several streams or ranks were written under one number; all metrics count the overlap once.",
      events: findingEvents(timeline, pairs),
      eventCount: count,
      arrow: { from, to },
      costNs: null,
      configKeys: [],
      device: deviceOf(timeline, to),
    },
  ];
}

function overlapByDesign(timeline: Timeline, found: Overlaps, workNs: number): Finding[] {
  const { count, sumNs, largestNs, pairs } = found;
  const to = pairs[1];
  if (to === undefined) return [];
  const share = workNs > 0 ? ` (${formatShare(sumNs / workNs)} of the work)` : "";
  return [
    {
      code: "EARLY_STARTS",
      severity: "information",
      message: `${count === 1 ? "1 piece of work starts" : `${grouped(count)} pieces of work start`} a little before the one before in the stream has ended: ${formatNs(sumNs)} in all${share}, ${formatNs(largestNs)} at most.`,
      explanation:
        "GPUs from compute capability 9.0 on start kernels early where the launch allows it (programmatic dependent launch), and clocks of other GPUs and recorders have coarse steps. Metrics count the overlap once.",
      events: findingEvents(timeline, pairs),
      eventCount: count,
      arrow: null,
      costNs: null,
      configKeys: [],
      device: deviceOf(timeline, to),
    },
  ];
}

function deviceOf({ lanes, events }: Timeline, event: number): number | null {
  return lanes[events.lane[event] ?? 0]?.device ?? null;
}

/** A queue of an MTIA device copies beside the kernels that it runs: it is no stream. */
function runsQueues({ events, lanes }: Timeline, event: number): boolean {
  return lanes[events.lane[event] ?? 0]?.process?.startsWith("MTIA ") === true;
}

function isKernel({ events }: Timeline, event: number): boolean {
  const kind = events.kind[event];
  return kind === EventKind.kernel || kind === EventKind.collective || kind === EventKind.memset;
}

/** Sum of the durations of all work, ns. */
function workOf({ events }: Timeline): number {
  let sumNs = 0;
  for (let at = 0; at < events.startNs.length; at++)
    if (runsOnDevice(events.kind[at] ?? EventKind.other)) sumNs += events.durationNs[at] ?? 0;
  return sumNs;
}

/** Microseconds, and what is left of them in a double that counts from 1970. */
const CLOCK_STEPS_NS = [1_000, 500, 250, 125];

/** The step of the clock that the work of the devices was written with; 1 where it is finer than all of `CLOCK_STEPS_NS`. */
function clockStepNs({ events }: Timeline): number {
  let place = 0;
  let firstNs = -1;
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    const startNs = events.startNs[at] ?? 0;
    if (firstNs < 0) firstNs = startNs;
    while (place < CLOCK_STEPS_NS.length && (startNs - firstNs) % (CLOCK_STEPS_NS[place] ?? 1) !== 0) place++;
    if (place === CLOCK_STEPS_NS.length) return 1;
  }
  return CLOCK_STEPS_NS[place] ?? 1;
}
