import {
  EXACT,
  type Margin,
  type MarginSource,
  SINGLE_SAMPLE,
  sampleMargin,
  simulatedMargin,
  type Trend,
  trendOf,
  UNSTABLE,
  unclearWord,
} from "../base/noise.js";
import {
  counted,
  formatBytes,
  formatDifference,
  formatExactBytes,
  formatNs,
  formatNsRange,
} from "../base/quantities.js";
import type { ProfileResult, ProfileRun } from "./result.js";
import { NO_OFFLOAD } from "./strategies.js";

const NS_PER_MS = 1e6;

/** Step times that were measured apart from the recorded step: those of all repetitions of a profile. */
export interface MeasuredSteps {
  /** Medians. */
  readonly aNs: number;
  readonly bNs: number;
  /** What their difference has to exceed, ns. */
  readonly margin: Margin;
  /** Samples on the side that has fewer. */
  readonly samples: number;
}

/**
 * One of the five numbers over a timeline. `trend` says whether the difference to the baseline is good; `unclear`: smaller than
 * its margin (`trendOf`).
 */
export interface RunFigure {
  readonly id: "step" | "afterForward" | "peak" | "pinned" | "exposed";
  readonly label: string;
  readonly value: string;
  /** `1.03–1.21 s, simulated`: where a real step would lie; null for what was measured. */
  readonly range: string | null;
  /** `−24.1 MiB (−66 %)`; null where the run is its own baseline or has none. */
  readonly difference: string | null;
  readonly trend: Trend | null;
  /** Half the width of the margin around the difference, where `trend` is `unclear`; null where nothing says it. */
  readonly noise: string | null;
  /** What the margin comes from. */
  readonly marginSource: MarginSource;
  readonly formula: string;
}

/** `veomni_async · checkpointing on`. */
export function runTitle(run: ProfileRun): string {
  return `${run.strategy} · checkpointing ${run.gradientCheckpointing ? "on" : "off"}`;
}

/** Index of the run with strategy `none` and the same checkpointing; undefined where there is none or it is `run` itself. */
export function baselineOf(result: ProfileResult, run: number): number | undefined {
  const asked = result.runs[run];
  if (asked === undefined || asked.strategy === NO_OFFLOAD) return undefined;
  const at = result.runs.findIndex(
    (candidate) => candidate.strategy === NO_OFFLOAD && candidate.gradientCheckpointing === asked.gradientCheckpointing,
  );
  return at < 0 ? undefined : at;
}

/**
 * What the difference between the step times of two runs has to exceed, ns. A virtual clock repeats itself: there the simulator's
 * own range counts. Where lengths vary from step to step, the samples of one length are compared, not the lengths with each other.
 */
export function stepMargin({ device, workload }: ProfileResult, a: ProfileRun, b: ProfileRun): Margin {
  if (device.kind === "sim") return simulatedMargin(expectedNs(a), expectedNs(b));
  const left = a.stepMs.samples.map((ms) => ms * NS_PER_MS);
  const right = b.stepMs.samples.map((ms) => ms * NS_PER_MS);
  // The median of different lengths moves by itself: only that of one length says that the machine was not steady.
  if (workload.seqLens.length < 2) {
    const margin = sampleMargin(left, right);
    const isUnsteady = a.stepMs.stable === false || b.stepMs.stable === false;
    return isUnsteady && margin.width !== null ? UNSTABLE : margin;
  }
  const differences = right.slice(0, left.length).map((ns, at) => ns - (left[at] ?? 0));
  return sampleMargin(
    differences,
    differences.map(() => 0),
  );
}

function expectedNs({ stepMs }: ProfileRun) {
  const range = stepMs.range;
  return {
    value: stepMs.median * NS_PER_MS,
    range: range && ([range[0] * NS_PER_MS, range[1] * NS_PER_MS] as const),
  };
}

/** The same for exposed copies, which are those of one step. A run without copies exposes none, whatever the noise. */
function exposedMargin(result: ProfileResult, a: ProfileRun, b: ProfileRun): Margin {
  if (result.device.kind === "sim") return simulatedMargin(expectedExposed(a), expectedExposed(b));
  const { source } = stepMargin(result, a, b);
  if (source === "unstable") return UNSTABLE;
  return copiesOf(a) === 0 ? EXACT : SINGLE_SAMPLE;
}

function expectedExposed(run: ProfileRun) {
  const value = exposedCopyNs(run);
  const share = copiesOf(run) === 0 ? 0 : run.exactness?.timeShare;
  const range = share === undefined ? undefined : ([value * (1 - share), value * (1 + share)] as const);
  return { value, range };
}

function copiesOf({ copies }: ProfileRun): number {
  return copies.d2h.count + copies.h2d.count;
}

/** `−1.2 ms (−4 %)` against a baseline; what is unclear is no percentage, and says why: `−1.2 ms, within noise`. */
export function stepDifference(result: ProfileResult, run: ProfileRun, baseline: ProfileRun): string {
  const [before, after] = [baseline.stepMs.median * NS_PER_MS, run.stepMs.median * NS_PER_MS];
  const margin = stepMargin(result, baseline, run);
  if (trendOf(before, after, margin, true) !== "unclear") return formatDifference(after, before, formatNs);
  return `${formatDifference(after - before, 0, formatNs)}, ${unclearWord(margin)}`;
}

/** What `compareTimelines` needs to know of the step times of two runs of one profile. */
export function measuredSteps(result: ProfileResult, a: number, b: number): MeasuredSteps | null {
  const [before, after] = [result.runs[a], result.runs[b]];
  if (before === undefined || after === undefined) return null;
  return {
    aNs: before.stepMs.median * NS_PER_MS,
    bNs: after.stepMs.median * NS_PER_MS,
    margin: stepMargin(result, before, after),
    samples: Math.min(before.stepMs.samples.length, after.stepMs.samples.length),
  };
}

/** Live activation bytes that remain after forward: everything beyond parameters and buffers. */
export function keptActivationBytes(run: ProfileRun): number {
  return run.afterForwardBytes - run.staticBytes;
}

/** Most live bytes of the step beyond parameters and buffers. */
export function peakActivationBytes(run: ProfileRun): number {
  return run.peakBytes - run.staticBytes;
}

/**
 * How a run's device memory differs from its baseline. The share is of what lies over static, for every figure and everywhere: no
 * offload of activations moves parameters, and beside large ones any effect would look small. `over` leaves static out.
 */
export function memoryDifference(run: ProfileRun, baseline: ProfileRun, over: (run: ProfileRun) => number): string {
  return formatDifference(over(run), over(baseline), formatBytes);
}

/** Exposed copy time of both directions, ns. */
export function exposedCopyNs(run: ProfileRun): number {
  return run.copies.d2h.exposedNs + run.copies.h2d.exposedNs;
}

/** Between which times a real step is expected, of a simulated run that says so: `1.03–1.21 s`. */
export function expectedStep({ stepMs: { range } }: ProfileRun): string | null {
  return range === undefined ? null : formatNsRange(range[0] * NS_PER_MS, range[1] * NS_PER_MS);
}

/** The five figures of a run with their differences to its baseline, in the order in which they are shown. */
export function figuresOf(result: ProfileResult, run: number): RunFigure[] {
  const asked = result.runs[run];
  if (asked === undefined) return [];
  const baselineIndex = baselineOf(result, run);
  const baseline = baselineIndex === undefined ? undefined : result.runs[baselineIndex];
  const expected = expectedStep(asked);
  const range = expected === null ? null : `${expected}, simulated`;
  const figure = (
    id: RunFigure["id"],
    label: string,
    of: (run: ProfileRun) => number,
    format: (value: number) => string,
    formula: string,
    marginBeside: (baseline: ProfileRun) => Margin = () => EXACT,
  ): RunFigure => {
    const value = of(asked);
    const shown = { id, label, value: format(value), range: id === "step" ? range : null, formula };
    if (baseline === undefined)
      return { ...shown, difference: null, trend: null, noise: null, marginSource: EXACT.source };
    const before = of(baseline);
    const margin = marginBeside(baseline);
    const { width, source: marginSource } = margin;
    const trend = trendOf(before, value, margin, true);
    const noise = trend === "unclear" && width !== null ? format(width) : null;
    // Percents of noise say nothing, and take the room of the word that says so.
    const difference =
      trend === "unclear"
        ? formatDifference(value - before, 0, format)
        : id === "peak"
          ? memoryDifference(asked, baseline, peakActivationBytes)
          : formatDifference(value, before, format);
    return { ...shown, difference, trend, noise, marginSource };
  };
  const exact = (bytes: number) => formatExactBytes(bytes);
  const { median, samples } = asked.stepMs;
  const steps = counted(samples.length, `${result.device.kind === "sim" ? "simulated" : "measured"} step`);
  const expectation = expected === null ? "" : `; a real step is expected within ${expected}`;
  return [
    figure(
      "step",
      "Step",
      (r) => r.stepMs.median * NS_PER_MS,
      formatNs,
      `Median of ${steps}: ${formatNs(median * NS_PER_MS)} (${samples.map((ms) => formatNs(ms * NS_PER_MS)).join(", ")})${expectation}`,
      (compared) => stepMargin(result, compared, asked),
    ),
    figure(
      "afterForward",
      "After forward",
      keptActivationBytes,
      formatBytes,
      `Live bytes after forward ${exact(asked.afterForwardBytes)} − parameters and buffers ${exact(asked.staticBytes)} = ${exact(keptActivationBytes(asked))}`,
    ),
    figure(
      "peak",
      "Peak",
      (r) => r.peakBytes,
      formatBytes,
      `Most live tensor bytes at any time of the step, parameters included: ${exact(asked.peakBytes)}; a share of the difference is of what lies over them`,
    ),
    figure(
      "pinned",
      "Pinned",
      (r) => r.pinnedPeakBytes,
      formatBytes,
      `Most page-locked host memory held at any time: ${exact(asked.pinnedPeakBytes)}`,
    ),
    figure(
      "exposed",
      "Exposed copies",
      exposedCopyNs,
      formatNs,
      `Copy time without compute beside it: D2H ${formatNs(asked.copies.d2h.exposedNs)} + H2D ${formatNs(asked.copies.h2d.exposedNs)}`,
      (compared) => exposedMargin(result, compared, asked),
    ),
  ];
}
