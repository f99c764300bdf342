/*
 * What a user types into a filter: a number with a unit. Empty text is no bound; anything else that cannot be read is null,
 * so that the field can say so instead of filtering by something else than written.
 */

const TIME_NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 };
const BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
};

/** `1.5 ms` → 1500000; a bare number counts as microseconds. undefined for empty text, null for what is no duration. */
export function parseDuration(text: string): number | undefined | null {
  return parse(text, TIME_NS, "us");
}

/** `64 MiB` → 67108864; a bare number counts as bytes, `64 M` as MiB. undefined for empty text, null for no size. */
export function parseByteSize(text: string): number | undefined | null {
  return parse(text, BYTES, "b");
}

function parse(text: string, units: Readonly<Record<string, number>>, usual: string): number | undefined | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "") return undefined;
  const [, digits, unit] = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-zµμ]*)$/.exec(trimmed) ?? [];
  const factor = Object.hasOwn(units, unit || usual) ? units[unit || usual] : undefined;
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}
