import { isSame } from "../../base/quantities.js";

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

/** A difference of two medians beside its noise: `unclear` where the noise is larger, or unknown. */
export function trendOf(
  a: number,
  b: number,
  noise: number | null,
  isLessBetter: boolean,
): "better" | "worse" | "same" | "unclear" {
  if (isSame(a, b)) return "same";
  if (noise === null || Math.abs(b - a) <= noise) return "unclear";
  return b < a === isLessBetter ? "better" : "worse";
}

/** What an unclear difference is called. */
export function unclearWord(isNoiseKnown: boolean): string {
  return isNoiseKnown ? "within noise" : "noise unknown";
}

function errorOf(values: readonly number[]): number {
  const middle = median(values);
  const deviation = median(values.map((value) => Math.abs(value - middle)));
  const error = (NOISE_ERRORS * ERROR_PER_DEVIATION * deviation) / Math.sqrt(values.length);
  if (values.length >= LEAST_FOR_DEVIATION) return error;
  return Math.max(error, (Math.max(...values) - Math.min(...values)) / 2);
}
