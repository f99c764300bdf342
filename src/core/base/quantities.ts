/*
 * Numbers for people: always with a unit, three significant digits, a no-break space before the unit and a true minus.
 */

const NO_BREAK_SPACE = "\u00a0";
const MINUS = "\u2212";

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
const TIME_UNITS = [
  { unit: "ns", ns: 1 },
  { unit: "µs", ns: 1e3 },
  { unit: "ms", ns: 1e6 },
  { unit: "s", ns: 1e9 },
] as const;

/** `1.27 GiB`, `512 B`; binary units, because memory limits are set in them. */
export function formatBytes(bytes: number): string {
  const magnitude = Math.abs(bytes);
  let unit = 0;
  // 1023.5 would print as 1024: go to the next unit first.
  while (unit < BYTE_UNITS.length - 1 && magnitude / 1024 ** unit >= 1023.5) unit++;
  const value = magnitude / 1024 ** unit;
  return withUnit(bytes < 0, unit === 0 ? String(Math.round(value)) : threeDigits(value), BYTE_UNITS[unit] ?? "B");
}

/** `1,234,567 B`: for the hover of a rounded figure. */
export function formatExactBytes(bytes: number): string {
  return withUnit(bytes < 0, grouped(Math.abs(Math.round(bytes))), "B");
}

/** `12.3 ms`, `870 ns`, `2.04 s`. */
export function formatNs(ns: number): string {
  const magnitude = Math.abs(ns);
  let chosen: (typeof TIME_UNITS)[number] = TIME_UNITS[0];
  for (const candidate of TIME_UNITS) if (magnitude >= candidate.ns * 0.9995) chosen = candidate;
  const value = magnitude / chosen.ns;
  const digits = chosen.ns === 1 && Number.isInteger(value) ? String(value) : threeDigits(value);
  return withUnit(ns < 0, digits, chosen.unit);
}

/** `+0.3 %`, `−12 %`, `12 x` for more than ten times as much: a change as a share of what it was. */
export function formatSignedShare(share: number): string {
  if (share > MOST_AS_PERCENT) return formatFactor(share + 1);
  const text = (Math.abs(share) * 100).toFixed(Math.abs(share) < 0.0995 ? 1 : 0);
  return `${share < 0 ? MINUS : "+"}${text} %`;
}

/** `1.03–1.21 s`, `970 ms – 1.21 s`: the unit once where both have the same. */
export function formatNsRange(fromNs: number, toNs: number): string {
  const [from, to] = [formatNs(fromNs), formatNs(toNs)];
  const [digits, unit] = from.split(NO_BREAK_SPACE);
  return to.endsWith(`${NO_BREAK_SPACE}${unit}`) ? `${digits}–${to}` : `${from} – ${to}`;
}

/** Copy rate in 10^9 bytes per second, `54.9 GB/s`; empty for what has no duration or no bytes. */
export function formatRate(bytes: number, durationNs: number): string {
  if (!(bytes > 0 && durationNs > 0)) return "";
  return withUnit(false, threeDigits(bytes / durationNs), "GB/s");
}

/** From here on a percentage is no figure any more: twelve times is `12 x`. */
const MOST_AS_PERCENT = 10;

/** `12 x`, `1,230 x`: how many times as much. */
export function formatFactor(factor: number): string {
  return withUnit(factor < 0, grouped(Math.round(Math.abs(factor))), "x");
}

/** `87 %`; `<1 %` and `>99 %` where rounding would claim nothing or everything; `12 x` above 1,000 %. */
export function formatShare(share: number): string {
  if (Math.abs(share) > MOST_AS_PERCENT) return formatFactor(share);
  const percent = share * 100;
  if (percent > 0 && percent < 1) return `<1${NO_BREAK_SPACE}%`;
  if (percent > 99 && percent < 100) return `>99${NO_BREAK_SPACE}%`;
  return withUnit(percent < 0, String(Math.round(Math.abs(percent))), "%");
}

/** Sums of the same times in another order differ in their last digits: that is no difference. */
export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;
}

/** `+1.2 ms (+4 %)`, `±0`; `+1.2 s (12 x)` for more than ten times; the share is left out where the baseline is 0. */
export function formatDifference(value: number, baseline: number, format: (value: number) => string): string {
  const difference = value - baseline;
  if (isSame(value, baseline)) return "±0";
  const sign = difference > 0 ? "+" : "";
  if (baseline === 0) return `${sign}${format(difference)}`;
  const share = difference / Math.abs(baseline);
  if (Math.abs(share) > MOST_AS_PERCENT) {
    // Of values on both sides of 0 neither is a multiple of the other.
    const isMultiple = value > 0 === baseline > 0;
    return `${sign}${format(difference)}${isMultiple ? ` (${formatFactor(value / baseline)})` : ""}`;
  }
  return `${sign}${format(difference)} (${difference > 0 ? "+" : MINUS}${formatChange(Math.abs(share))})`;
}

/** A change keeps one digit however small it is: `0.3 %`. */
function formatChange(share: number): string {
  const percent = share * 100;
  if (percent < 1) return withUnit(false, String(Number(percent.toPrecision(1))), "%");
  // Nearly all, but not all; beside a sign, `>99 %` could not be read.
  return percent > 99 && percent < 100
    ? withUnit(false, (Math.floor(percent * 10) / 10).toFixed(1), "%")
    : formatShare(share);
}

/** `1,234,567`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 kernel`, `1,234 kernels`; every count with a noun is written by this, so that none reads `1 kernels`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

function threeDigits(value: number): string {
  if (value === 0) return "0";
  // Rounding first decides the number of digits before the point: 9.996 is 10.0, not 10.00.
  const rounded = Number(value.toPrecision(3));
  if (rounded >= 100) return String(Math.round(rounded));
  return rounded >= 10 ? rounded.toFixed(1) : rounded.toFixed(2);
}

function withUnit(isNegative: boolean, digits: string, unit: string): string {
  return `${isNegative ? MINUS : ""}${digits}${NO_BREAK_SPACE}${unit}`;
}
