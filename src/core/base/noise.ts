import { leastOf, mostOf } from "./extremes.js";
import { isSame } from "./quantities.js";

/** From this many samples on each side, they say how much a value varies by itself. */
export const LEAST_FOR_NOISE = 3;
/** With fewer samples than this, nothing narrower than their whole range holds the median in 95 of 100 cases. */
const LEAST_FOR_DEVIATION = 6;
/** Standard error of a median, in median absolute deviations of normally distributed values (1.2533 · 1.4826). */
const ERROR_PER_DEVIATION = 1.858;
/** Width of the noise in standard errors: about 95 of 100 differences without a cause are smaller. */
const NOISE_ERRORS = 2;

/**
 * Half the width of the noise around the difference of two medians, in the unit of the samples; null with fewer than three on
 * a side. Per side: twice the standard error of the median, from the median absolute deviation; of fewer than six samples at
 * least half their range, because an interval of order statistics cannot be narrower. Both sides add as independent errors.
 */
export function noiseOf(left: readonly number[], right: readonly number[]): number | null {
  if (left.length < LEAST_FOR_NOISE || right.length < LEAST_FOR_NOISE) return null;
  return Math.hypot(errorOf(left), errorOf(right));
}

/** The middle value, or the mean of the two in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
}

/** What a difference has to exceed before it says anything. */
export interface Margin {
  /** Half the width around the difference, in the unit of the values; null where nothing is known about it. */
  readonly width: number | null;
  readonly source: MarginSource;
}

/**
 * Where a margin comes from: from counting (bytes of a schedule are what they are), from samples, from samples whose median still
 * moved when they ended, or from what a simulator claims to know.
 */
export type MarginSource = "exact" | "samples" | "unstable" | "simulator";

/** Of what is counted, not timed. */
export const EXACT: Margin = { width: 0, source: "exact" };

/** Of times of which there is one sample. */
export const SINGLE_SAMPLE: Margin = { width: null, source: "samples" };

/** Of times whose median was not stable: however large the difference, it can be that of the machine. */
export const UNSTABLE: Margin = { width: null, source: "unstable" };

/** Of the medians of two lists of samples. */
export function sampleMargin(left: readonly number[], right: readonly number[]): Margin {
  return { width: noiseOf(left, right), source: "samples" };
}

/** A simulated time, and between which times a real one is expected. */
export interface Expected {
  readonly value: number;
  readonly range: readonly [number, number] | undefined;
}

/** Of two simulated times: as long as their ranges touch, either may be the smaller one. Unknown where one has no range. */
export function simulatedMargin(a: Expected, b: Expected): Margin {
  if (a.range === undefined || b.range === undefined) return { width: null, source: "simulator" };
  const [less, more] = a.value <= b.value ? [a, b] : [b, a];
  const [, lessAtMost] = less.range ?? [0, less.value];
  const [moreAtLeast] = more.range ?? [more.value, 0];
  return { width: lessAtMost - less.value + more.value - moreAtLeast, source: "simulator" };
}

export type Trend = "better" | "worse" | "same" | "unclear";

/**
 * Whether `b` is better or worse than `a`: the one place that decides it, for every table, figure, colour and sentence. `unclear`
 * where the difference is not larger than its margin, or the margin is unknown.
 */
export function trendOf(a: number, b: number, { width }: Margin, isLessBetter: boolean): Trend {
  if (isSame(a, b)) return "same";
  if (width === null || Math.abs(b - a) <= width) return "unclear";
  return b < a === isLessBetter ? "better" : "worse";
}

/** What an unclear difference is called. */
export function unclearWord({ width, source }: { readonly width: unknown; readonly source: MarginSource }): string {
  if (source === "unstable") return "steps not stable";
  if (source === "simulator") return width === null ? "range unknown" : "within the simulated range";
  return width === null ? "noise unknown" : "within noise";
}

/** Why a difference is unclear, in a clause. */
export function unclearReason(source: MarginSource, width: string | null): string {
  if (source === "unstable") return "the steps were not stable when the measurement ended";
  if (source === "simulator")
    return width === null
      ? "the simulator does not say how exact its times are"
      : "the ranges in which the simulator expects the two times touch";
  return width === null
    ? "too few samples to tell a difference from noise"
    : `smaller than the noise of the samples, ±${width}`;
}

function errorOf(values: readonly number[]): number {
  const middle = median(values);
  const deviation = median(values.map((value) => Math.abs(value - middle)));
  const error = (NOISE_ERRORS * ERROR_PER_DEVIATION * deviation) / Math.sqrt(values.length);
  if (values.length >= LEAST_FOR_DEVIATION) return error;
  return Math.max(error, (mostOf(values) - leastOf(values)) / 2);
}
