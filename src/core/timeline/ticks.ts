/** Values of an axis, ascending, and the distance between two of them. */
export interface Ticks {
  readonly values: readonly number[];
  readonly step: number;
}

/** Times in `[fromNs, toNs]` at 1, 2 or 5 × 10^k ns, at most `most` of them. */
export function timeTicks(fromNs: number, toNs: number, most: number): Ticks {
  const wanted = (toNs - fromNs) / Math.max(1, most);
  if (!(wanted > 0)) return { values: [], step: 0 };
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
  return { values: multiples(fromNs, toNs, step), step };
}

/** Multiples of a power of two from 0 up to `maxBytes`, at most `most` beside the 0. */
export function byteTicks(maxBytes: number, most: number): Ticks {
  if (!(maxBytes > 0)) return { values: [0], step: 0 };
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(maxBytes / Math.max(1, most))));
  return { values: multiples(0, maxBytes, step), step };
}

/** A time as an offset, with as many digits as `stepNs` tells apart: `12.50 ms`. */
export function formatTick(ns: number, stepNs: number): string {
  const [unit, unitNs] =
    stepNs >= 1e8 ? ["s", 1e9] : stepNs >= 1e5 ? ["ms", 1e6] : stepNs >= 1e2 ? ["µs", 1e3] : ["ns", 1];
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(stepNs / unitNs) - 1e-9)));
  const text = Math.abs(ns / unitNs).toFixed(digits);
  return `${ns < 0 && Number(text) !== 0 ? "\u2212" : ""}${text}\u00a0${unit}`;
}

function multiples(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  const first = Math.ceil(from / step);
  // Multiplying, not adding: sums of fractions drift. The + 0 turns -0 into 0.
  for (let at = first; at * step <= to && values.length < 1000; at++) values.push(at * step + 0);
  return values;
}
