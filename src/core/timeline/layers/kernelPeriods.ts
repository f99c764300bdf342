/** A stretch of a sequence in which `period` elements repeat `repeats` times, beginning at `from`. */
export interface PeriodicStretch {
  readonly from: number;
  readonly period: number;
  readonly repeats: number;
}

const LEAST_REPEATS = 3;
const LEAST_PERIOD = 4;
const MOST_REPEATS = 1_024;
/** Elements looked at: enough for dozens of steps, and a bound on what a hostile file costs. */
const MOST_ELEMENTS = 2 ** 18;
const MOST_CANDIDATES = 64;
/** Share of elements that must equal the one a period later. Layers of one model differ in a kernel here and there. */
const LEAST_EQUAL = 0.9;

/**
 * Stretches of `sequence` (numbers of kernel names in order) that repeat, the longest first and disjoint. A candidate for a
 * period is the distance between neighbouring occurrences of a name that occurs a moderate number of times.
 */
export function findPeriods(sequence: Uint32Array): PeriodicStretch[] {
  const looked = sequence.subarray(0, MOST_ELEMENTS);
  const found: PeriodicStretch[] = [];
  for (const { position, period } of candidates(looked)) {
    if (found.some((stretch) => isInside(stretch, position))) continue;
    const stretch = extend(looked, position, period);
    if (stretch === undefined) continue;
    if (found.some((other) => overlaps(other, stretch))) continue;
    found.push(stretch);
  }
  return found.sort((a, b) => b.period * b.repeats - a.period * a.repeats);
}

/** Places where a name comes at the same distance several times in a row, the largest covered length first. */
function candidates(sequence: Uint32Array): { readonly position: number; readonly period: number }[] {
  const positions = new Map<number, number[]>();
  for (let at = 0; at < sequence.length; at++) {
    const name = sequence[at] ?? 0;
    const list = positions.get(name);
    if (list === undefined) positions.set(name, [at]);
    else if (list.length <= MOST_REPEATS * 8) list.push(at);
  }
  const runs: { position: number; period: number; covered: number }[] = [];
  for (const list of positions.values()) {
    let from = 0;
    for (let at = 1; at <= list.length; at++) {
      const period = (list[from + 1] ?? 0) - (list[from] ?? 0);
      const gap = (list[at] ?? Infinity) - (list[at - 1] ?? 0);
      if (at < list.length && (at === from + 1 || gap === period)) continue;
      const repeats = at - 1 - from;
      if (repeats >= LEAST_REPEATS - 1 && period >= LEAST_PERIOD)
        runs.push({ position: list[from] ?? 0, period, covered: repeats * period });
      from = at - 1;
    }
  }
  runs.sort((a, b) => b.covered - a.covered || a.position - b.position);
  return runs.slice(0, MOST_CANDIDATES);
}

/** Widens a stretch around `position` as far as nearly all elements repeat after `period`. */
function extend(sequence: Uint32Array, position: number, period: number): PeriodicStretch | undefined {
  const isEqual = (at: number) => sequence[at] === sequence[at + period];
  // Whole periods forwards, then single elements backwards: the first layer begins where the repetition begins.
  let to = position;
  while (to + 2 * period <= sequence.length && equalShare(sequence, to, period) >= LEAST_EQUAL) to += period;
  while (to + period < sequence.length && isEqual(to)) to++;
  let from = position;
  while (from > 0 && isEqual(from - 1)) from--;
  const repeats = Math.floor((to - from) / period) + 1;
  if (repeats < LEAST_REPEATS || repeats > MOST_REPEATS) return undefined;
  return { from, period, repeats };
}

function equalShare(sequence: Uint32Array, from: number, period: number): number {
  let equal = 0;
  for (let at = from; at < from + period; at++) if (sequence[at] === sequence[at + period]) equal++;
  return equal / period;
}

function isInside({ from, period, repeats }: PeriodicStretch, position: number): boolean {
  return position >= from && position < from + period * repeats;
}

function overlaps(a: PeriodicStretch, b: PeriodicStretch): boolean {
  return a.from < b.from + b.period * b.repeats && b.from < a.from + a.period * a.repeats;
}
