const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;
/** For fewer elements the tables of digits cost more than comparing. */
const FEW = 4_096;

/** Adding it to a whole number below it leaves the number's own bits in the lower 52 bits of the double. */
const SHIFT = 2 ** 52;

/**
 * Sorts `order` (indices into `keys`) by key, ascending; equal keys keep their order. Keys must be finite and not negative; they
 * are changed meanwhile and back. Linear: a radix sort over the bits of the doubles, whose order is that of the numbers they
 * stand for; whole numbers, such as times, need fewer passes. Needs a second array of the size of `order`; returns the sorted
 * one, which may be either.
 */
export function sortByKey(order: Uint32Array, keys: Float64Array): Uint32Array {
  if (order.length < FEW) return order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  const isWhole = keys.every((key) => key < SHIFT && Number.isInteger(key));
  if (isWhole) for (let at = 0; at < keys.length; at++) keys[at] = (keys[at] ?? 0) + SHIFT;
  const sorted = sortByBits(order, keys);
  if (isWhole) for (let at = 0; at < keys.length; at++) keys[at] = (keys[at] ?? 0) - SHIFT;
  return sorted;
}

function sortByBits(order: Uint32Array, keys: Float64Array): Uint32Array {
  const words = new Uint16Array(keys.buffer, keys.byteOffset, keys.length * 4);
  const tables = countDigits(order, words);
  let from = order;
  let to: Uint32Array | undefined;
  for (const [digit, places] of tables.entries()) {
    if (!toPlaces(places)) continue;
    to ??= new Uint32Array(order.length);
    for (let at = 0; at < from.length; at++) {
      const index = from[at] ?? 0;
      const word = words[index * 4 + digit] ?? 0;
      const place = places[word] ?? 0;
      to[place] = index;
      places[word] = place + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** How often each value of each digit occurs, the lowest digit first. */
function countDigits(order: Uint32Array, words: Uint16Array): readonly Uint32Array[] {
  const counts = new Uint32Array(DIGITS * 4);
  for (let at = 0; at < order.length; at++) {
    const word = (order[at] ?? 0) * 4;
    const a = words[word] ?? 0;
    const b = words[word + 1] ?? 0;
    const c = words[word + 2] ?? 0;
    const d = words[word + 3] ?? 0;
    counts[a] = (counts[a] ?? 0) + 1;
    counts[DIGITS + b] = (counts[DIGITS + b] ?? 0) + 1;
    counts[2 * DIGITS + c] = (counts[2 * DIGITS + c] ?? 0) + 1;
    counts[3 * DIGITS + d] = (counts[3 * DIGITS + d] ?? 0) + 1;
  }
  return [0, 1, 2, 3].map((digit) => counts.subarray(digit * DIGITS, (digit + 1) * DIGITS));
}

/** Turns counts into the place of the first element of each digit; false where all are equal: nothing to sort. */
function toPlaces(counts: Uint32Array): boolean {
  let before = 0;
  let used = 0;
  for (let word = 0; word < DIGITS; word++) {
    const count = counts[word] ?? 0;
    if (count > 0) used++;
    counts[word] = before;
    before += count;
  }
  return used > 1;
}
