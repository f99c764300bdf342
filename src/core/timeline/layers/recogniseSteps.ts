import type { Timeline, TimelineSpan } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { firstAtLeast } from "../columns/eventRows.js";
import { launchOf } from "../columns/launches.js";
import { isCompute, runsOnDevice } from "../metrics/metrics.js";

const STEP = /^ProfilerStep#?\s*(\d+)/;
const OPTIMIZER = /^Optimizer\.step/;
const MOST_STEPS = 10_000;

interface Window {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Steps and phases of a trace, on the clock of the device: a step reaches from the first work that was launched inside of the
 * profiler's own mark to the first work of the next; backward is what threads of autograd launched, forward what comes before
 * it (once for each micro-batch), the optimizer what its own mark holds or what comes after the last backward.
 */
export function recogniseSteps(timeline: Timeline): TimelineSpan[] {
  const calls = launchOf(timeline);
  if (calls === null) return [];
  const marks = stepMarks(timeline);
  const steps = marks.length > 0 ? deviceSteps(timeline, calls, marks) : wholeTimeline(timeline);
  const launched = { timeline, calls, phaseOfCall: phaseOfCall(timeline) };
  const spans: TimelineSpan[] = marks.length > 0 ? steps.map((step) => ({ kind: "step", ...step })) : [];
  for (const step of steps) spans.push(...phasesOf(launched, step));
  return spans;
}

interface Launched {
  readonly timeline: Timeline;
  /** As `launchOf` gives them. */
  readonly calls: Int32Array;
  phaseOfCall(call: number): number;
}

/** Autograd's threads launch backward; what a thread launches inside of a mark of the framework's optimizers is the update. */
function phaseOfCall(timeline: Timeline): (call: number) => number {
  const { lane, startNs } = timeline.events;
  const autograd = autogradLanes(timeline);
  const updates = optimizerMarks(timeline);
  return (call) => {
    if (autograd[lane[call] ?? 0] === true) return Phase.backward;
    return markAt(updates, startNs[call] ?? 0) >= 0 ? Phase.optimizer : Phase.forward;
  };
}

function optimizerMarks({ events, strings, lanes }: Timeline): Window[] {
  const isMark = strings.map((name) => OPTIMIZER.test(name));
  const marks: Window[] = [];
  for (let at = 0; at < events.startNs.length && marks.length < MOST_STEPS; at++) {
    if (events.kind[at] !== EventKind.annotation || isMark[events.name[at] ?? 0] !== true) continue;
    if (lanes[events.lane[at] ?? 0]?.role !== "host") continue;
    const startNs = events.startNs[at] ?? 0;
    marks.push({ startNs, endNs: startNs + (events.durationNs[at] ?? 0) });
  }
  return marks;
}

function stepMarks({ events, strings, lanes }: Timeline): (Window & { readonly label: string })[] {
  const labels = strings.map((name) => STEP.exec(name)?.[1]);
  const marks: (Window & { label: string })[] = [];
  for (let at = 0; at < events.startNs.length && marks.length < MOST_STEPS; at++) {
    if (events.kind[at] !== EventKind.annotation || lanes[events.lane[at] ?? 0]?.role !== "host") continue;
    const label = labels[events.name[at] ?? 0];
    if (label === undefined) continue;
    const startNs = events.startNs[at] ?? 0;
    const mark = { startNs, endNs: startNs + (events.durationNs[at] ?? 0), label: `step ${label}` };
    // Ranks that were merged into one file mark the same step, each for itself.
    const known = marks.findLastIndex((one) => one.label === mark.label);
    const same = marks[known];
    if (same !== undefined && same.endNs > startNs) marks[known] = { ...same, endNs: Math.max(same.endNs, mark.endNs) };
    else marks.push(mark);
  }
  return marks;
}

type Step = Window & { readonly label: string };

function deviceSteps({ events }: Timeline, calls: Int32Array, marks: readonly Step[]): Step[] {
  const first = new Float64Array(marks.length).fill(Infinity);
  let lastEndNs = 0;
  for (let at = 0; at < calls.length; at++) {
    const call = calls[at] ?? -1;
    if (call < 0) continue;
    const startNs = events.startNs[at] ?? 0;
    lastEndNs = Math.max(lastEndNs, startNs + (events.durationNs[at] ?? 0));
    const mark = markAt(marks, events.startNs[call] ?? 0);
    if (mark >= 0) first[mark] = Math.min(first[mark] ?? Infinity, startNs);
  }
  // From the last to the first: each step ends where the next one with device work begins.
  const steps: Step[] = [];
  let endNs = lastEndNs;
  for (let at = marks.length - 1; at >= 0; at--) {
    const startNs = first[at] ?? Infinity;
    if (!(startNs < endNs)) continue;
    steps.push({ label: marks[at]?.label ?? "", startNs, endNs });
    endNs = startNs;
  }
  return steps.reverse();
}

function markAt(marks: readonly Window[], timeNs: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.startNs ?? 0) <= timeNs) low = middle + 1;
    else high = middle;
  }
  const mark = marks[low - 1];
  return mark !== undefined && timeNs < mark.endNs ? low - 1 : -1;
}

function wholeTimeline({ events }: Timeline): Step[] {
  let startNs = Infinity;
  let endNs = -Infinity;
  for (let at = 0; at < events.startNs.length; at++) {
    if (!runsOnDevice(events.kind[at] ?? EventKind.other)) continue;
    startNs = Math.min(startNs, events.startNs[at] ?? 0);
    endNs = Math.max(endNs, (events.startNs[at] ?? 0) + (events.durationNs[at] ?? 0));
  }
  return endNs > startNs ? [{ label: "", startNs, endNs }] : [];
}

/** By lane, whether it is a thread that ran functions of autograd's engine. */
export function autogradLanes({ events, strings, lanes }: Timeline): boolean[] {
  const isEngine = strings.map((name) => name.startsWith("autograd::engine::evaluate_function"));
  const found = lanes.map(() => false);
  for (let at = 0; at < events.startNs.length; at++)
    if (isEngine[events.name[at] ?? 0] === true) found[events.lane[at] ?? 0] = true;
  return found;
}

/** What a piece of compute was launched for. */
const Phase = { forward: 0, backward: 1, optimizer: 2 } as const;

interface PhaseRun {
  readonly phase: number;
  readonly startNs: number;
  endNs: number;
  launches: number;
}

/** Of the launches of a step: a run that is shorter interrupts a phase, it is none. */
const LEAST_SHARE = 0.01;
/** As many as nobody would call an interruption. */
const ENOUGH_LAUNCHES = 32;
/** Micro-batches × phases; more is noise. */
const MOST_PHASES = 512;
/** Interruptions included: a bound on what a hostile file costs. */
const MOST_RUNS = 2 ** 16;

function phasesOf(launched: Launched, step: Step): TimelineSpan[] {
  const runs = phaseRuns(launched, step);
  const lastBackward = runs.findLastIndex(({ phase }) => phase === Phase.backward);
  if (lastBackward < 0 || runs.length > MOST_PHASES) return [];
  const suffix = step.label === "" ? "" : ` of ${step.label}`;
  const spans: TimelineSpan[] = [];
  for (const [at, { phase, startNs, endNs }] of runs.entries()) {
    const nextNs = runs[at + 1]?.startNs ?? endNs;
    if (phase === Phase.backward)
      spans.push({ kind: "backward", label: `backward${suffix}`, startNs, endNs: Math.min(endNs, nextNs) });
    else if (phase === Phase.forward && at < lastBackward)
      spans.push({ kind: "forward", label: `forward${suffix}`, startNs, endNs: nextNs });
    else spans.push({ kind: "optimizer", label: `after backward${suffix}`, startNs, endNs: Math.min(endNs, nextNs) });
  }
  return spans;
}

/** Compute of a step in order of its starts, split where it is launched for something else. */
function phaseRuns({ timeline, calls, phaseOfCall }: Launched, step: Step): PhaseRun[] {
  const { startNs, durationNs, kind } = timeline.events;
  const runs: PhaseRun[] = [];
  let launches = 0;
  for (let at = firstAtLeast(startNs, step.startNs); at < calls.length; at++) {
    const from = startNs[at] ?? 0;
    if (from >= step.endNs) break;
    const call = calls[at] ?? -1;
    if (call < 0 || !isCompute(kind[at] ?? EventKind.other)) continue;
    launches++;
    const phase = phaseOfCall(call);
    const endNs = from + (durationNs[at] ?? 0);
    const last = runs.at(-1);
    if (last?.phase !== phase) {
      if (runs.length >= MOST_RUNS) return [];
      runs.push({ phase, startNs: from, endNs, launches: 1 });
    } else {
      last.endNs = Math.max(last.endNs, endNs);
      last.launches++;
    }
  }
  return withoutInterruptions(runs, Math.min(ENOUGH_LAUNCHES, launches * LEAST_SHARE));
}

function withoutInterruptions(runs: readonly PhaseRun[], least: number): PhaseRun[] {
  const kept: PhaseRun[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    if (last === undefined || (run.launches >= least && run.phase !== last.phase)) kept.push({ ...run });
    else {
      last.endNs = Math.max(last.endNs, run.endNs);
      last.launches += run.launches;
    }
  }
  return kept;
}
