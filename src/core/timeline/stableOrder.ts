const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;
/** For fewer elements the tables of digits cost more than comparing. */
const FEW = 4_096;

/**
 * Sorts `order` (indices into `keys`) by key, ascending; equal keys keep their order. Keys must be finite and not negative.
 * Linear: a radix sort over the bits of the doubles, whose order is that of the numbers they stand for. Needs a second
 * array of the size of `order`; returns the sorted one, which may be either.
 */
export function sortByKey(order: Uint32Array, keys: Float64Array): Uint32Array {
  if (order.length < FEW) return order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  const words = new Uint16Array(keys.buffer, keys.byteOffset, keys.length * 4);
  const starts = new Uint32Array(DIGITS);
  let from = order;
  let to: Uint32Array | undefined;
  for (let digit = 0; digit < 4; digit++) {
    if (!countDigits(from, words, digit, starts)) continue;
    to ??= new Uint32Array(order.length);
    for (let at = 0; at < from.length; at++) {
      const index = from[at] ?? 0;
      const word = words[index * 4 + digit] ?? 0;
      const place = starts[word] ?? 0;
      to[place] = index;
      starts[word] = place + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Fills `starts` with the place of the first element of each digit; false where all are equal: nothing to sort. */
function countDigits(order: Uint32Array, words: Uint16Array, digit: number, starts: Uint32Array): boolean {
  starts.fill(0);
  for (let at = 0; at < order.length; at++) {
    const word = words[(order[at] ?? 0) * 4 + digit] ?? 0;
    starts[word] = (starts[word] ?? 0) + 1;
  }
  let before = 0;
  let used = 0;
  for (let word = 0; word < DIGITS; word++) {
    const count = starts[word] ?? 0;
    if (count > 0) used++;
    starts[word] = before;
    before += count;
  }
  return used > 1;
}
