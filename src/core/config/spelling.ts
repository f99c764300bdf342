/**
 * The candidate that is closest to a misspelt `word`, or `undefined` when none is close. Distance counts insertions,
 * deletions, substitutions and swaps of neighbours (optimal string alignment), ignoring case and `-` against `_`.
 * Close means at most a third of the longer word, never more than 6, and nothing below four letters. Ties go to the earlier
 * candidate.
 */
export function nearestSpelling(word: string, candidates: readonly string[]): string | undefined {
  const wanted = normalise(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = normalise(candidate);
    const longer = Math.max(wanted.length, other.length);
    const allowed = longer < 4 ? 0 : Math.min(6, Math.floor(longer / 3));
    if (Math.abs(wanted.length - other.length) > allowed) continue;
    const distance = editDistance(wanted, other);
    if (distance > allowed || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function normalise(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
