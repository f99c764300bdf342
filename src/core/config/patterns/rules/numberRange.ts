/**
 * Globs that together match exactly the whole numbers from `from` to `to`: 0 to 27 is `[0-9]`, `1[0-9]`, `2[0-7]`. Python's
 * `fnmatch` knows one character per set only. Both are below 10,000; an empty list for anything else.
 */
export function globsForRange(from: number, to: number): readonly string[] {
  const globs: string[] = [];
  if (from < 0 || to >= 10_000 || from > to) return globs;
  for (let low = from; low <= to; ) {
    const sameLength = Math.min(to, 10 ** String(low).length - 1);
    let unit = 1;
    while (low >= 10 * unit && low % (10 * unit) === 0 && low + 10 * unit - 1 <= sameLength) unit *= 10;
    const digit = Math.floor(low / unit) % 10;
    const more = Math.min(9 - digit, Math.floor((sameLength + 1 - low) / unit) - 1);
    const prefix = Math.floor(low / unit / 10);
    const rest = "[0-9]".repeat(String(unit).length - 1);
    globs.push(`${prefix === 0 ? "" : prefix}${digitSet(digit, digit + more)}${rest}`);
    low += (more + 1) * unit;
  }
  return globs;
}

function digitSet(from: number, to: number): string {
  if (from === to) return String(from);
  return to === from + 1 ? `[${from}${to}]` : `[${from}-${to}]`;
}
