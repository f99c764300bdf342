/** Bytes that JSON gives a meaning. */
export const byteOf = {
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  comma: 0x2c,
  colon: 0x3a,
  quote: 0x22,
  backslash: 0x5c,
  space: 0x20,
  zero: 0x30,
  nine: 0x39,
} as const;

const { colon, quote, backslash, space, zero, nine } = byteOf;
const firstBeyondAscii = 0x80;
/** Counts of fewer digits are exact. */
const maxDigits = 15;

/** Passes over JSON text piece by piece. Every method says whether the piece stands here; after a "no" the position is of no use. */
export class ByteScanner {
  /** The inside of the text that was read last, without its quotes. */
  textStart = 0;
  textEnd = 0;
  /** The whole number that was read last. */
  lastCount = 0;

  constructor(
    readonly bytes: Uint8Array,
    public position = 0,
  ) {}

  /** Passes over the byte if it is the next one behind white space. */
  take(code: number): boolean {
    if (this.#next() !== code) return false;
    this.position += 1;
    return true;
  }

  /** A text that is followed by a colon. */
  key(): boolean {
    return this.text() && this.take(colon);
  }

  /** A text of ASCII characters without escapes. */
  text(): boolean {
    if (!this.take(quote)) return false;
    const { bytes } = this;
    const end = bytes.length;
    let at = this.position;
    this.textStart = at;
    for (; at < end; at += 1) {
      const code = bytes[at] ?? 0;
      if (code === quote) break;
      if (code < space || code === backslash || code >= firstBeyondAscii) return false;
    }
    this.textEnd = at;
    this.position = at + 1;
    return at < end;
  }

  /** Whether the text that was read last is this one. */
  textIs(expected: string): boolean {
    if (this.textEnd - this.textStart !== expected.length) return false;
    for (let at = 0; at < expected.length; at += 1) {
      if (this.bytes[this.textStart + at] !== expected.charCodeAt(at)) return false;
    }
    return true;
  }

  /** Whether the text that was read last equals that range. */
  textEquals(start: number, end: number): boolean {
    const { bytes, textStart } = this;
    const length = end - start;
    if (this.textEnd - textStart !== length) return false;
    for (let at = length - 1; at >= 0; at -= 1) if (bytes[textStart + at] !== bytes[start + at]) return false;
    return true;
  }

  /** A whole number from 0. */
  count(): boolean {
    const first = this.#next();
    const start = this.position;
    const { bytes } = this;
    let value = 0;
    let at = start;
    for (let code = first; code >= zero && code <= nine; code = bytes[at] ?? 0) {
      value = value * 10 + (code - zero);
      at += 1;
    }
    const digits = at - start;
    this.position = at;
    this.lastCount = value;
    return digits > 0 && digits <= maxDigits && (digits === 1 || first !== zero);
  }

  isAtEnd(): boolean {
    this.#next();
    return this.position >= this.bytes.length;
  }

  /** The byte behind white space, as JSON has it; 0 at the end. */
  #next(): number {
    const { bytes } = this;
    let code = bytes[this.position] ?? 0;
    while (code === space || code === 0x0a || code === 0x0d || code === 0x09) {
      this.position += 1;
      code = bytes[this.position] ?? 0;
    }
    return code;
  }
}
