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

/** Multiples of a power of two in `[fromBytes, toBytes]`, at most `most` and one. */
export function byteTicks(fromBytes: number, toBytes: number, most: number): Ticks {
  if (!(toBytes > fromBytes)) return { values: [fromBytes], step: 0 };
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((toBytes - fromBytes) / Math.max(1, most))));
  return { values: multiples(fromBytes, toBytes, step), step };
}

/** A time with as many digits as `stepNs` tells apart, in the unit that suits ticks of `unitStepNs`: `12.50 ms`. */
export function formatTick(ns: number, stepNs: number, unitStepNs = stepNs): string {
  const [unit, unitNs] =
    unitStepNs >= 1e8 ? ["s", 1e9] : unitStepNs >= 1e5 ? ["ms", 1e6] : unitStepNs >= 1e2 ? ["µs", 1e3] : ["ns", 1];
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(stepNs / unitNs) - 1e-9)));
  const text = Math.abs(ns / unitNs).toFixed(digits);
  return `${ns < 0 && Number(text) !== 0 ? "\u2212" : ""}${text}\u00a0${unit}`;
}

/** Times of a list, in one unit and with the digits that tell them apart, down to 1 ns; three digits where fewer would do. */
export function formatApart(times: readonly number[]): string[] {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((ns, at) => ns - (sorted[at] ?? 0));
  const mostNs = Math.max(...sorted.map(Math.abs), 1);
  const stepNs = Math.max(1, Math.min(mostNs / 100, ...gaps));
  // The unit that suits the longest of them, unless its six digits are too few.
  return times.map((ns) => formatTick(ns, stepNs, Math.min(mostNs / 10, stepNs * 1e5)));
}

function multiples(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  const first = Math.ceil(from / step);
  // Multiplying, not adding: sums of fractions drift. The + 0 turns -0 into 0.
  for (let at = first; at * step <= to && values.length < 1000; at++) values.push(at * step + 0);
  return values;
}
