/** A text with the place of its `‸` mark, which is taken out. */
export function atCursor(marked: string): { text: string; offset: number } {
  const offset = marked.indexOf("‸");
  if (offset < 0) throw new Error("the text has no cursor");
  return { text: marked.replace("‸", ""), offset };
}

/** A random number generator with a seed; the same numbers on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
