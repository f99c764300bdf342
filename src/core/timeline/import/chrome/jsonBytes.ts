/* Moving over JSON in bytes. Positions are indices; `-1` means that the bytes end first. */

export const Byte = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** Bytes behind the capacity, so that words can be read up to its last byte. They stay zero, which ends every number and word. */
const SLACK = 8;

/** Memory that can be read byte by byte, and four bytes at once also where they begin on odd addresses. */
export class WordBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(readonly capacity: number) {
    this.bytes = new Uint8Array(capacity + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  static of(bytes: Uint8Array): WordBytes {
    const copy = new WordBytes(bytes.length);
    copy.bytes.set(bytes);
    return copy;
  }
}

/** Flags (0x80) in the bytes of `word` that are zero; the lowest flag is exact, further ones may stand beside a zero. */
export function zeroBytes(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080;
}

/** Number (0 … 3) of the byte that the lowest flag stands in. */
export function lowestFlag(flags: number): number {
  return (31 - Math.clz32(flags & -flags)) >> 3;
}

/** 1: quote, 2: opens, 3: closes, 0: anything else. */
const STRUCTURE = new Uint8Array(256);
STRUCTURE[Byte.quote] = 1;
STRUCTURE[Byte.openBrace] = 2;
STRUCTURE[Byte.openBracket] = 2;
STRUCTURE[Byte.closeBrace] = 3;
STRUCTURE[Byte.closeBracket] = 3;

/** Bytes of numbers and of true, false and null. */
const IS_WORD = new Uint8Array(256);
for (const letter of "0123456789+-.Eabcdefghijklmnopqrstuvwxyz") IS_WORD[letter.charCodeAt(0)] = 1;

/** Position of the first byte that is no white space; control characters and NUL bytes count as white space. */
export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] ?? 0) <= 0x20) at++;
  return at < end ? at : -1;
}

/** Position after the string whose first byte (after the quote) is at `from`. */
export function skipString(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at++] ?? 0;
    if (byte === Byte.quote) return at;
    if (byte === Byte.backslash) at++;
  }
  return -1;
}

/** Position after the value that begins at `from`: a string, a nested value, or a bare word up to `,`, `]`, `}` or space. */
export function skipValue(bytes: Uint8Array, from: number, end: number): number {
  const first = bytes[from] ?? 0;
  if (first === Byte.quote) return skipString(bytes, from + 1, end);
  if (STRUCTURE[first] === 2) return skipNested(bytes, from + 1, end);
  let at = from;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20 || byte === Byte.comma || STRUCTURE[byte] === 3) return at;
    at++;
  }
  return -1;
}

/** Like `skipValue`, but a bare word ends at the first byte that cannot be part of one. */
export function skipLexically(bytes: Uint8Array, from: number, end: number): number {
  const first = bytes[from] ?? 0;
  if (first === Byte.quote) return skipString(bytes, from + 1, end);
  if (STRUCTURE[first] === 2) return skipNested(bytes, from + 1, end);
  let at = from;
  while (IS_WORD[bytes[at] ?? 0] === 1) at++;
  return at < end ? at : -1;
}

/** Position after the bracket that closes the value whose opening one is before `from`. No recursion: depth is free. */
export function skipNested(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  let depth = 1;
  while (at < end) {
    let kind = STRUCTURE[bytes[at] ?? 0] ?? 0;
    while (kind === 0 && ++at < end) kind = STRUCTURE[bytes[at] ?? 0] ?? 0;
    if (kind === 0) return -1;
    at++;
    if (kind === 1) {
      at = skipString(bytes, at, end);
      if (at < 0) return -1;
    } else if (kind === 2) depth++;
    else if (--depth === 0) return at;
  }
  return -1;
}

/** Skips one value that may be larger than any buffer, piece by piece. */
export class ValueSkipper {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** Position after the value, or -1 where it goes on after `end`. Call again with the bytes that follow. */
  skip(bytes: Uint8Array, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === Byte.backslash) this.isEscaped = true;
        else if (byte === Byte.quote) {
          this.isInString = false;
          if (this.depth === 0) return at + 1;
        }
        continue;
      }
      const kind = STRUCTURE[byte];
      if (kind === 1) this.isInString = true;
      else if (kind === 2) this.depth++;
      else if (kind === 3) {
        if (this.depth === 0) return at;
        if (--this.depth === 0) return at + 1;
      } else if (this.depth === 0 && byte === Byte.comma) return at;
    }
    return -1;
  }
}
