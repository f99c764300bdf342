import type { WordBytes } from "./jsonBytes.js";

/**
 * A decimal number of a JSON text as two integers: `whole` (exact up to 2^53) and thousandths. Times are microseconds with
 * three decimals in the files of Kineto, so the thousandths are nanoseconds; a double would lose them, because microseconds
 * since 1970 already take 51 of its 53 bits.
 */
export class DecimalNumber {
  /** Magnitude of the integer part. */
  whole = 0;
  /** 0 … 1000: the fraction, rounded half up; 1000 stands for a carry. */
  thousandths = 0;
  isNegative = false;
  /** False where there is no number, or none that can be held exactly. */
  isValid = false;

  /** Reads the number that begins at `from`; returns the position after it, `from` where there is none. */
  read({ bytes, view }: WordBytes, from: number): number {
    let at = from;
    this.isNegative = bytes[at] === MINUS;
    if (this.isNegative || bytes[at] === PLUS) at++;
    const digitsFrom = at;
    let whole = 0;
    for (let word = view.getInt32(at, true); areDigits(word); word = view.getInt32(at, true)) {
      whole = whole * 10_000 + fourDigits(word);
      at += 4;
    }
    for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - ZERO)
      whole = whole * 10 + digit;
    const digits = at - digitsFrom;
    let thousandths = 0;
    let decimals = 0;
    if (bytes[at] === POINT) {
      at++;
      for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - ZERO) {
        if (decimals < 3) thousandths = thousandths * 10 + digit;
        else if (decimals === 3 && digit >= 5) thousandths++;
        decimals++;
      }
      if (decimals === 1) thousandths *= 100;
      else if (decimals === 2) thousandths *= 10;
    }
    if (bytes[at] === LOWER_E || bytes[at] === UPPER_E) return this.readScientific(bytes, from, at);
    this.whole = whole;
    this.thousandths = thousandths;
    this.isValid = digits + decimals > 0 && whole < LIMIT;
    return at;
  }

  /** The whole number in thousandths, where that is below 2^53; else `undefined`. */
  inThousandths(): number | undefined {
    const value = this.whole * 1000 + this.thousandths;
    if (!this.isValid || value >= LIMIT) return undefined;
    return this.isNegative ? -value : value;
  }

  /** Moves the decimal point by the exponent, digit by digit: no rounding through a double. */
  private readScientific(bytes: Uint8Array, from: number, exponentAt: number): number {
    let at = exponentAt + 1;
    const isSmaller = bytes[at] === MINUS;
    if (isSmaller || bytes[at] === PLUS) at++;
    let exponent = 0;
    let exponentDigits = 0;
    for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - ZERO) {
      exponent = Math.min(MAX_EXPONENT, exponent * 10 + digit);
      exponentDigits++;
    }
    const [digits, pointAt] = significand(bytes, from, exponentAt);
    const shifted = pointAt + (isSmaller ? -exponent : exponent);
    this.isValid = exponentDigits > 0 && digits.length > 0 && (shifted <= 16 || /^0*$/.test(digits));
    if (!this.isValid) return at;
    const padded = shifted > 0 ? digits.padEnd(shifted, "0") : "0".repeat(Math.min(8, -shifted)) + digits;
    this.whole = shifted > 0 ? Number(padded.slice(0, Math.min(shifted, 17))) : 0;
    const fraction = (shifted > 0 ? padded.slice(shifted) : padded).padEnd(4, "0");
    this.thousandths = Number(fraction.slice(0, 3)) + ((fraction[3] ?? "0") >= "5" ? 1 : 0);
    this.isValid = this.whole < LIMIT;
    return at;
  }
}

function areDigits(word: number): boolean {
  return (((word & HIGH_HALVES) ^ ZEROS) | (((word + 0x06060606) & HIGH_HALVES) ^ ZEROS)) === 0;
}

/** The value of four digits, of which the lowest byte is the first. */
function fourDigits(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}

/** Digits without the point, at most 400, and how many of them stand before it. */
function significand(bytes: Uint8Array, from: number, to: number): [string, number] {
  let digits = "";
  let pointAt = -1;
  for (let at = from; at < to && digits.length < 400; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === POINT) pointAt = digits.length;
    else if (byte >= ZERO && byte <= ZERO + 9) digits += String.fromCharCode(byte);
  }
  return [digits, pointAt < 0 ? digits.length : pointAt];
}

const LIMIT = 2 ** 53;
const MAX_EXPONENT = 400;
const ZERO = 0x30;
const ZEROS = 0x30303030;
const HIGH_HALVES = 0xf0f0f0f0 | 0;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
