import { EventKind, type Timeline, type TimelineSpan } from "../columns.js";
import { firstAtLeast } from "../eventRows.js";
import { launchOf } from "../launches.js";
import { runsOnDevice } from "../metrics.js";

const STEP = /^ProfilerStep#?\s*(\d+)/;
const MOST_STEPS = 10_000;

interface Window {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Steps and phases of a trace, on the clock of the device: a step reaches from the first work that was launched inside of the
 * profiler's own mark to the first work of the next; backward is what threads of autograd launched, forward what comes before
 * it, the optimizer what comes after.
 */
export function recogniseSteps(timeline: Timeline): TimelineSpan[] {
  const calls = launchOf(timeline);
  if (calls === null) return [];
  const marks = stepMarks(timeline);
  const steps = marks.length > 0 ? deviceSteps(timeline, calls, marks) : wholeTimeline(timeline);
  const autograd = autogradLanes(timeline);
  const spans: TimelineSpan[] = marks.length > 0 ? steps.map((step) => ({ kind: "step", ...step })) : [];
  for (const step of steps) spans.push(...phasesOf(timeline, calls, autograd, step));
  return spans;
}

function stepMarks({ events, strings, lanes }: Timeline): (Window & { readonly label: string })[] {
  const labels = strings.map((name) => STEP.exec(name)?.[1]);
  const marks: (Window & { label: string })[] = [];
  for (let at = 0; at < events.startNs.length && marks.length < MOST_STEPS; at++) {
    if (events.kind[at] !== EventKind.annotation || lanes[events.lane[at] ?? 0]?.role !== "host") continue;
    const label = labels[events.name[at] ?? 0];
    if (label === undefined) continue;
    const startNs = events.startNs[at] ?? 0;
    marks.push({ startNs, endNs: startNs + (events.durationNs[at] ?? 0), label: `step ${label}` });
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

function phasesOf({ events }: Timeline, calls: Int32Array, autograd: readonly boolean[], step: Step): TimelineSpan[] {
  let backwardNs = Infinity;
  let backwardEndNs = -Infinity;
  let endNs = step.startNs;
  let startNs = Infinity;
  for (let at = firstAtLeast(events.startNs, step.startNs); at < calls.length; at++) {
    const call = calls[at] ?? -1;
    const from = events.startNs[at] ?? 0;
    if (from >= step.endNs) break;
    if (call < 0) continue;
    const to = from + (events.durationNs[at] ?? 0);
    startNs = Math.min(startNs, from);
    endNs = Math.max(endNs, to);
    if (autograd[events.lane[call] ?? 0] !== true) continue;
    backwardNs = Math.min(backwardNs, from);
    backwardEndNs = Math.max(backwardEndNs, to);
  }
  if (!(backwardEndNs > backwardNs)) return [];
  const suffix = step.label === "" ? "" : ` of ${step.label}`;
  const spans: TimelineSpan[] = [];
  if (backwardNs > startNs) spans.push({ kind: "forward", label: `forward${suffix}`, startNs, endNs: backwardNs });
  spans.push({ kind: "backward", label: `backward${suffix}`, startNs: backwardNs, endNs: backwardEndNs });
  if (endNs - backwardEndNs > (backwardEndNs - backwardNs) / 100)
    spans.push({ kind: "optimizer", label: `after backward${suffix}`, startNs: backwardEndNs, endNs });
  return spans;
}
