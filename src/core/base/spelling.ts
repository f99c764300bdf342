/**
 * The candidate that is closest to a misspelt `word`, or `undefined` when none is close. Distance counts insertions,
 * deletions, substitutions and swaps of neighbours (optimal string alignment), ignoring case and `-` against `_`.
 * Close means at most a third of the longer word, never more than 6, and nothing below four letters. Ties go to the earlier
 * candidate.
 */
export function nearestSpelling(word: string, candidates: readonly string[]): string | undefined {
  const wanted = prepare(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const { word: candidate, normal, letters } of preparedOf(candidates)) {
    const longer = Math.max(wanted.normal.length, normal.length);
    const allowed = Math.min(longer < 4 ? 0 : Math.min(6, Math.floor(longer / 3)), bestDistance - 1);
    if (Math.abs(wanted.normal.length - normal.length) > allowed) continue;
    if (differingLetters(wanted.letters, letters) > allowed) continue;
    const distance = distanceWithin(wanted.normal, normal, allowed);
    if (distance === undefined) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

interface Prepared {
  readonly word: string;
  readonly normal: string;
  readonly letters: Uint32Array;
}

/** The tables of keys hand in the same list again and again. */
const preparedLists = new WeakMap<readonly string[], readonly Prepared[]>();

function preparedOf(candidates: readonly string[]): readonly Prepared[] {
  const known = preparedLists.get(candidates);
  if (known?.length === candidates.length) return known;
  const prepared = candidates.map(prepare);
  preparedLists.set(candidates, prepared);
  return prepared;
}

function prepare(word: string): Prepared {
  const normal = word.toLowerCase().replaceAll("-", "_");
  return { word, normal, letters: letterCounts(normal) };
}

/** How often each letter occurs; letters that share their lowest five bits count as one. */
function letterCounts(word: string): Uint32Array {
  const counts = new Uint32Array(32);
  for (let at = 0; at < word.length; at++) {
    const slot = word.charCodeAt(at) & 31;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts;
}

/** Never more than the edit distance of the words: a swap changes no letter, every other edit one on each side at most. */
function differingLetters(left: Uint32Array, right: Uint32Array): number {
  let onlyLeft = 0;
  let onlyRight = 0;
  for (let slot = 0; slot < left.length; slot++) {
    const difference = (left[slot] ?? 0) - (right[slot] ?? 0);
    if (difference > 0) onlyLeft += difference;
    else onlyRight -= difference;
  }
  return Math.max(onlyLeft, onlyRight);
}

/**
 * The edit distance (optimal string alignment) of two words; `undefined` when it exceeds `limit`, which is at most 254. Only cells
 * whose row and column differ by at most `limit` are computed: a path outside of them costs more. A row depends on two rows
 * above it, so once both exceed the limit, so does all that follows.
 */
export function distanceWithin(left: string, right: string, limit: number): number | undefined {
  if (Math.abs(left.length - right.length) > limit) return undefined;
  const beyond = limit + 1;
  let beforePrevious = new Uint8Array(right.length + 1);
  let previous = Uint8Array.from({ length: right.length + 1 }, (_, column) => Math.min(column, beyond));
  let current = new Uint8Array(right.length + 1);
  let leastAbove = 0;
  for (let row = 1; row <= left.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(right.length, row + limit);
    // The cells beside the band are read by this row or the next.
    current[first - 1] = first === 1 ? Math.min(row, beyond) : beyond;
    if (last < right.length) current[last + 1] = beyond;
    const letter = left.charCodeAt(row - 1);
    let least = first === 1 ? row : beyond;
    for (let column = first; column <= last; column++) {
      const same = letter === right.charCodeAt(column - 1);
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        beyond,
      );
      if (row > 1 && column > 1 && isSwap(left, row, right, column)) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit && leastAbove > limit) return undefined;
    leastAbove = least;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  const distance = previous[right.length] ?? beyond;
  return distance > limit ? undefined : distance;
}

/** True when the two letters that end at the row of one and the column of the other word are swapped. */
function isSwap(left: string, row: number, right: string, column: number): boolean {
  return (
    left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
    left.charCodeAt(row - 2) === right.charCodeAt(column - 1)
  );
}
