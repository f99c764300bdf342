/*
 * The least and the most of values of any number: as arguments of `Math.min` and `Math.max` a hundred thousand of them end the
 * process.
 */

/** Infinity for no values, as `Math.min`. */
export function leastOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** -Infinity for no values, as `Math.max`. */
export function mostOf(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
