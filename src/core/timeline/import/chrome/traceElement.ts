import { Category, categoryOf, readsArgs } from "./category.js";
import { DecimalNumber } from "./decimalNumber.js";
import { ElementArgs } from "./elementArgs.js";
import { Byte, lowestFlag, skipSpace, skipString, skipValue, type WordBytes, zeroBytes } from "./jsonBytes.js";
import { NameRepair } from "./nameRepair.js";
import { firstBytes, hashText, hashWord, type NameTable } from "./nameTable.js";
import { Separator } from "./separators.js";

/** Results of `TraceElement.read` beside a position. */
export const NEEDS_MORE = -1;
export const MALFORMED = -2;

/** What had to be repaired in an element, as bits; those of its name are `NameRepair` above them. */
export const Repair = { commaMissing: 1, commaExtra: 2, quotes: 4, nameBits: 3 } as const;

/** Ids that are texts are told from numbers by this offset. */
const TEXT_ID = 2 ** 40;
/** How far a name with unescaped quotes is followed. */
const MAX_QUOTE_SEARCH = 2 ** 16;

/** Keys of an element that matter, by what is read from them. */
const Key = { other: 0, ph: 1, cat: 2, name: 3, pid: 4, tid: 5, ts: 6, dur: 7, id: 8, args: 9 } as const;

/**
 * Reads elements of `traceEvents` one by one into its own fields: no object per element, no text. Positions are indices of the
 * bytes given to `read`.
 */
export class TraceElement {
  /** Character code of `ph`, 0 where it is absent. */
  phase = 0;
  /** Number of the name, -1 where it is absent. */
  name = -1;
  category: number = Category.other;
  /** Number of `cat` in the table of names, -1 where it is absent. */
  categoryName = -1;
  pid = 0;
  tid = 0;
  readonly time = new DecimalNumber();
  readonly duration = new DecimalNumber();
  hasTime = false;
  hasDuration = false;
  /** Number of `id`, -1 where it is absent. Ids that are no whole numbers are hashed. */
  id = -1;
  /** Bits of `Repair`; 0 for nearly all elements. */
  repairs = 0;
  readonly args: ElementArgs;
  /** What `categoryOf` said, by number of the name. */
  private readonly categories: number[] = [];
  private textFrom = 0;
  private textTo = 0;
  private hash = 0;
  private isRaw = true;
  private identity = 0;
  private key: number = Key.other;
  private isEnd = false;
  private readonly start: Separator;

  constructor(
    private readonly names: NameTable,
    mostSeparators: number,
  ) {
    this.args = new ElementArgs(names);
    this.start = Separator.start(mostSeparators);
  }

  /** Reads the element whose `{` is at `from`: the position after its `}`, `NEEDS_MORE` or `MALFORMED`. */
  read(text: WordBytes, from: number, end: number): number {
    this.reset();
    let here: Separator | null = this.start;
    let at = from + 1;
    for (;;) {
      const next: Separator | null = here === null ? null : here.next(text.view, at, end);
      if (next === null) {
        const to = this.readUpToValue(text, at, end, at === from + 1);
        if (to < 0) return to;
        if (here !== null) here = this.learn(here, text, at, to);
        at = to;
      } else {
        at += next.length;
        this.key = next.key;
        this.isEnd = next.endsObject;
        this.phase = next.phase;
        this.category = next.category;
        this.categoryName = next.categoryName;
        here = next;
      }
      if (this.isEnd) return at;
      at = this.readMember(this.key, text, at, end, here);
      if (at < 0) return at;
    }
  }

  /** Reads members up to one whose value differs from element to element: where that begins, or the element ends. */
  private readUpToValue(text: WordBytes, from: number, end: number, isFirst: boolean): number {
    let at = this.findMember(text.bytes, from, end, isFirst);
    while (at >= 0 && !this.isEnd && (this.key === Key.ph || this.key === Key.cat)) {
      at = this.readMember(this.key, text, at, end, null);
      if (at >= 0) at = this.findMember(text.bytes, at, end, false);
    }
    return at;
  }

  private learn(here: Separator, text: WordBytes, from: number, to: number): Separator | null {
    // What had to be repaired is looked at each time.
    const learned = this.repairs !== 0 ? null : here.learn(text, from, to);
    if (learned === null) return null;
    learned.key = this.key;
    learned.endsObject = this.isEnd;
    learned.phase = this.phase;
    learned.category = this.category;
    learned.categoryName = this.categoryName;
    return learned;
  }

  /** Finds the value of the next member and says in `key` which one that is, or the end of the element. */
  private findMember(bytes: Uint8Array, from: number, end: number, isFirst: boolean): number {
    let at = skipSpace(bytes, from, end);
    if (at < 0) return NEEDS_MORE;
    this.isEnd = bytes[at] === Byte.closeBrace;
    if (this.isEnd) return at + 1;
    if (!isFirst) {
      if (bytes[at] === Byte.comma) at = skipSpace(bytes, at + 1, end);
      else if (bytes[at] === Byte.quote) this.repairs |= Repair.commaMissing;
      if (at < 0) return NEEDS_MORE;
      this.isEnd = bytes[at] === Byte.closeBrace;
      if (this.isEnd) {
        this.repairs |= Repair.commaExtra;
        return at + 1;
      }
    }
    if (bytes[at] !== Byte.quote) return MALFORMED;
    this.key = keyAt(bytes, at + 1);
    at = this.key === Key.other ? skipString(bytes, at + 1, end) : at + (KEY_LENGTHS[this.key] ?? 0);
    if (at < 0 || at >= end) return NEEDS_MORE;
    at = skipSpace(bytes, at, end);
    if (at < 0) return NEEDS_MORE;
    if (bytes[at] !== Byte.colon) return MALFORMED;
    at = skipSpace(bytes, at + 1, end);
    return at < 0 ? NEEDS_MORE : at;
  }

  private reset(): void {
    this.phase = 0;
    this.name = -1;
    this.category = Category.other;
    this.categoryName = -1;
    this.pid = 0;
    this.tid = 0;
    this.hasTime = false;
    this.hasDuration = false;
    this.id = -1;
    this.repairs = 0;
    this.args.reset();
  }

  private readMember(key: number, text: WordBytes, at: number, end: number, here: Separator | null): number {
    const { bytes } = text;
    switch (key) {
      case Key.ph:
        this.phase = bytes[at + 1] ?? 0;
        if (at + 3 < end && bytes[at] === Byte.quote && bytes[at + 2] === Byte.quote) return at + 3;
        return skipValue(bytes, at, end);
      case Key.cat:
        return this.readCategory(text, at, end);
      case Key.name: {
        const after = this.readText(text, at, end);
        if (after >= 0 && bytes[at] === Byte.quote) this.name = this.internText(text);
        return after;
      }
      case Key.pid: {
        const after = this.readIdentity(text, at, end, false);
        this.pid = this.identity;
        return after;
      }
      case Key.tid: {
        const after = this.readIdentity(text, at, end, false);
        this.tid = this.identity;
        return after;
      }
      case Key.ts:
        this.hasTime = true;
        return readNumber(this.time, text, at, end);
      case Key.dur:
        this.hasDuration = true;
        return readNumber(this.duration, text, at, end);
      case Key.id: {
        const after = this.readIdentity(text, at, end, true);
        this.id = this.identity;
        return after;
      }
      case Key.args:
        if (bytes[at] !== Byte.openBrace) return skipValue(bytes, at, end);
        return this.readArgs(text, at + 1, end, here);
      default:
        return skipValue(bytes, at, end);
    }
  }

  private readArgs(text: WordBytes, at: number, end: number, here: Separator | null): number {
    const isWanted = this.phase === METADATA || readsArgs(this.category);
    return this.args.read(text, at, end, this.category, isWanted, here?.insideValue ?? null);
  }

  private readCategory(text: WordBytes, at: number, end: number): number {
    const after = this.readText(text, at, end);
    if (after < 0 || text.bytes[at] !== Byte.quote) return after;
    const number = this.internText(text);
    this.categories[number] ??= categoryOf(this.names.texts[number] ?? "");
    this.category = this.categories[number] ?? Category.other;
    this.categoryName = number;
    return after;
  }

  private internText(text: WordBytes): number {
    const number = this.names.intern(text, this.textFrom, this.textTo, this.hash, this.isRaw);
    this.repairs |= (this.names.repairs[number] ?? NameRepair.none) << Repair.nameBits;
    return number;
  }

  /** Reads a value, a string with its hash; a quote that does not end its string is taken into it. */
  private readText(text: WordBytes, from: number, end: number): number {
    const { bytes } = text;
    this.textFrom = from;
    if (bytes[from] !== Byte.quote) {
      const after = skipValue(bytes, from, end);
      this.textTo = after;
      return after;
    }
    const after = this.readQuoted(text, from + 1, end);
    if (after < 0) return after;
    const next = skipSpace(bytes, after, end);
    if (next < 0) return NEEDS_MORE;
    if (bytes[next] === Byte.comma || bytes[next] === Byte.closeBrace || bytes[next] === Byte.quote) return after;
    return this.followQuotes(text, from + 1, end);
  }

  private readQuoted({ bytes, view }: WordBytes, from: number, end: number): number {
    let hash = 0;
    for (let at = from; at < end; at += 4) {
      const word = view.getInt32(at, true);
      const flags = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);
      if (flags === 0) {
        hash = hashWord(hash, word);
        continue;
      }
      const before = lowestFlag(flags);
      this.isRaw = bytes[at + before] === Byte.quote;
      this.textFrom = from;
      if (!this.isRaw) return this.readEscaped(bytes, view, from, at + before, end);
      this.textTo = at + before;
      this.hash = before === 0 ? hash : hashWord(hash, firstBytes(word, before));
      return at + before < end ? at + before + 1 : NEEDS_MORE;
    }
    return NEEDS_MORE;
  }

  private readEscaped(bytes: Uint8Array, view: DataView, from: number, backslash: number, end: number): number {
    const after = skipString(bytes, backslash, end);
    if (after < 0) return NEEDS_MORE;
    this.textTo = after - 1;
    this.hash = hashText(view, from, after - 1);
    return after;
  }

  /** The string ends at the first quote that is followed by a comma and another key, or by the end of the element. */
  private followQuotes({ bytes, view }: WordBytes, from: number, end: number): number {
    const limit = Math.min(end, from + MAX_QUOTE_SEARCH);
    for (let at = from; at < limit; at++) {
      if (bytes[at] !== Byte.quote) continue;
      const next = skipSpace(bytes, at + 1, end);
      if (next < 0) return NEEDS_MORE;
      if (bytes[next] === Byte.comma) {
        const key = skipSpace(bytes, next + 1, end);
        if (key < 0) return NEEDS_MORE;
        if (bytes[key] !== Byte.quote) continue;
      } else if (bytes[next] !== Byte.closeBrace) continue;
      this.repairs |= Repair.quotes;
      this.isRaw = true;
      this.textFrom = from;
      this.textTo = at;
      this.hash = hashText(view, from, at);
      return at + 1;
    }
    return limit < end ? MALFORMED : NEEDS_MORE;
  }

  /** Reads an id into `identity`: a whole number of at most 15 digits, quoted or not, as itself, else a number for its text. */
  private readIdentity(text: WordBytes, from: number, end: number, isHashed: boolean): number {
    const { bytes } = text;
    const isQuoted = bytes[from] === Byte.quote;
    const isNegative = bytes[from] === Byte.minus;
    const first = isNegative || isQuoted ? from + 1 : from;
    let value = 0;
    let at = first;
    for (let byte = bytes[at] ?? 0; byte >= Byte.zero && byte <= Byte.nine; byte = bytes[++at] ?? 0)
      value = value * 10 + byte - Byte.zero;
    if (isQuoted && at > first && at - first <= 15 && at < end && bytes[at] === Byte.quote) {
      this.identity = value;
      return at + 1;
    }
    if (!isQuoted && at > first && at - first <= 15 && at < end && isAfterValue(bytes[at] ?? 0)) {
      // An own range for negative ones keeps -1 free for "absent".
      this.identity = isNegative ? -value - 2 : value;
      return at;
    }
    return this.readTextIdentity(text, from, end, isHashed);
  }

  private readTextIdentity(text: WordBytes, from: number, end: number, isHashed: boolean): number {
    const after = this.readText(text, from, end);
    if (after < 0) return after;
    if (text.bytes[from] !== Byte.quote) {
      this.hash = hashText(text.view, this.textFrom, this.textTo);
      this.isRaw = true;
    }
    // Threads are few and have names to show; ids are many.
    this.identity = TEXT_ID + (isHashed ? this.hash >>> 0 : this.internText(text));
    return after;
  }
}

/** Number of the name of a process or thread whose id is a text, else `undefined`. */
export function textOfIdentity(identity: number): number | undefined {
  return identity >= TEXT_ID ? identity - TEXT_ID : undefined;
}

/** A number, also one written as a string (Ascend). */
function readNumber(number: DecimalNumber, text: WordBytes, at: number, end: number): number {
  const { bytes } = text;
  const read = number.read(text, at);
  if (read < end && read > at && isAfterValue(bytes[read] ?? 0)) return read;
  const isQuoted = bytes[at] === Byte.quote;
  const after = skipValue(bytes, at, end);
  if (after < 0) return NEEDS_MORE;
  if (number.read(text, isQuoted ? at + 1 : at) !== (isQuoted ? after - 1 : after)) number.isValid = false;
  return after;
}

function isAfterValue(byte: number): boolean {
  return byte <= 0x20 || byte === Byte.comma || byte === Byte.closeBrace;
}

const QUOTES = Byte.quote * 0x01010101;
const BACKSLASHES = Byte.backslash * 0x01010101;

const METADATA = 0x4d;

/** Bytes of a key with its closing quote, and the opening one before it. */
const KEY_LENGTHS: readonly number[] = [0, 4, 5, 6, 5, 5, 4, 5, 4, 6];

/** Which key begins at `from`, after its quote; bytes behind the end of the buffer may be anything. */
function keyAt(bytes: Uint8Array, from: number): number {
  const second = bytes[from + 1];
  const third = bytes[from + 2];
  const fourth = bytes[from + 3];
  switch (bytes[from]) {
    case 0x70:
      if (second === 0x68 && third === Byte.quote) return Key.ph;
      return second === 0x69 && third === 0x64 && fourth === Byte.quote ? Key.pid : Key.other;
    case 0x74:
      if (second === 0x73 && third === Byte.quote) return Key.ts;
      return second === 0x69 && third === 0x64 && fourth === Byte.quote ? Key.tid : Key.other;
    case 0x63:
      return second === 0x61 && third === 0x74 && fourth === Byte.quote ? Key.cat : Key.other;
    case 0x64:
      return second === 0x75 && third === 0x72 && fourth === Byte.quote ? Key.dur : Key.other;
    case 0x69:
      return second === 0x64 && third === Byte.quote ? Key.id : Key.other;
    case 0x6e:
      if (second !== 0x61 || third !== 0x6d || fourth !== 0x65) return Key.other;
      return bytes[from + 4] === Byte.quote ? Key.name : Key.other;
    case 0x61:
      if (second !== 0x72 || third !== 0x67 || fourth !== 0x73) return Key.other;
      return bytes[from + 4] === Byte.quote ? Key.args : Key.other;
    default:
      return Key.other;
  }
}
