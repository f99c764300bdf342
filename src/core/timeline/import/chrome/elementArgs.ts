import { Category } from "./category.js";
import { Byte, skipLexically, skipNested, skipSpace, skipString, skipValue, type WordBytes } from "./jsonBytes.js";
import { hashText, type NameTable } from "./nameTable.js";
import type { Separator } from "./separators.js";

/** Members of `args` that reach the columns. */
const Arg = {
  other: 0,
  correlation: 1,
  bytes: 2,
  device: 3,
  text: 4,
  allocated: 5,
  deviceType: 6,
  taskType: 7,
  direction: 8,
  size: 9,
} as const;

/** The members of `args` that reach the columns; -1 or `undefined` where absent. */
export class ElementArgs {
  correlation = 0;
  /** -1 also where it is no size: negative, a fraction, a text, or larger than any memory. */
  bytes = -1;
  device = -1;
  /** Number of `name` or `labels` in the table of names. */
  text = -1;
  /** `Total Allocated` of a memory event, in bytes. */
  allocatedBytes = -1;
  /** 0 host, 1 device, as the framework numbers them. */
  deviceType = -1;
  /** Number of the name of Ascend's `Task Type`. */
  taskType = -1;
  /** Number of the name of `direction`, and `size` in bytes: how MTIA describes a copy. */
  direction = -1;
  sizeBytes = -1;
  private arg: number = Arg.other;
  private isEnd = false;

  constructor(private readonly names: NameTable) {}

  reset(): void {
    this.correlation = 0;
    this.bytes = -1;
    this.device = -1;
    this.text = -1;
    this.allocatedBytes = -1;
    this.deviceType = -1;
    this.taskType = -1;
    this.direction = -1;
    this.sizeBytes = -1;
  }

  /**
   * Reads the object whose `{` is before `from`, or only finds its end where nothing `isWanted`. `place` is that of its first
   * member. The position after it, or -1 where the bytes end first.
   */
  read(text: WordBytes, from: number, end: number, category: number, wanted: boolean, place: Separator | null): number {
    const { bytes, view } = text;
    // What a kernel has behind its correlation is never needed, and it is most of the file.
    const isLaunch = category === Category.kernel || category === Category.runtime;
    let isWanted = wanted;
    let here = place;
    let at = from;
    for (;;) {
      let next = here === null ? null : here.next(view, at, end);
      if (next === null) {
        const to = this.findMember(bytes, at, end);
        if (to === NEEDS_MORE) return NEEDS_MORE;
        if (to !== NOT_FOUND && here !== null) next = this.learn(here, text, at, to);
        // Whatever stands there, the brackets still say where the object ends.
        if (to === NOT_FOUND || (next === null && !isWanted)) return skipNested(bytes, at, end);
        at = to;
        if (this.isEnd) return at;
      } else {
        at += next.length;
        this.arg = next.key;
        if (next.endsObject) return at;
      }
      here = next;
      if (isWanted) {
        const after = skipValue(bytes, at, end);
        if (after < 0) return NEEDS_MORE;
        if (this.arg !== Arg.other) this.take(this.arg, text, at, after);
        isWanted = this.correlation === 0 || !isLaunch;
        at = after;
      } else at = skipLexically(bytes, at, end);
      if (at < 0) return NEEDS_MORE;
    }
  }

  private learn(here: Separator, text: WordBytes, from: number, to: number): Separator | null {
    const learned = here.learn(text, from, to);
    if (learned === null) return null;
    learned.key = this.arg;
    learned.endsObject = this.isEnd;
    return learned;
  }

  /** Finds the value of the next member and says in `arg` which one that is, or the end of the object. */
  private findMember(bytes: Uint8Array, from: number, end: number): number {
    let at = skipSpace(bytes, from, end);
    while (at >= 0 && bytes[at] === Byte.comma) at = skipSpace(bytes, at + 1, end);
    if (at < 0) return NEEDS_MORE;
    this.isEnd = bytes[at] === Byte.closeBrace;
    if (this.isEnd) return at + 1;
    if (bytes[at] !== Byte.quote) return NOT_FOUND;
    const keyFrom = at + 1;
    const keyEnd = skipString(bytes, keyFrom, end);
    if (keyEnd < 0) return NEEDS_MORE;
    at = skipSpace(bytes, keyEnd, end);
    if (at < 0) return NEEDS_MORE;
    if (bytes[at] !== Byte.colon) return NOT_FOUND;
    this.arg = argOf(bytes, keyFrom, keyEnd - 1);
    return skipSpace(bytes, at + 1, end);
  }

  private take(arg: number, text: WordBytes, from: number, to: number): void {
    const { bytes, view } = text;
    if (arg === Arg.text || arg === Arg.taskType || arg === Arg.direction) {
      if (bytes[from] !== Byte.quote) return;
      const isRaw = !bytes.subarray(from + 1, to - 1).includes(Byte.backslash);
      const name = this.names.intern(text, from + 1, to - 1, hashText(view, from + 1, to - 1), isRaw);
      if (arg === Arg.text) this.text = name;
      else if (arg === Arg.taskType) this.taskType = name;
      else this.direction = name;
      return;
    }
    const value = wholeNumber(bytes, from, to);
    if (arg === Arg.bytes) {
      const size = value < 0 ? writtenWithPoint(bytes, from, to) : value;
      this.bytes = size <= MAX_COPY_BYTES ? size : -1;
      return;
    }
    if (value < 0) return;
    if (arg === Arg.correlation) this.correlation = value < 2 ** 32 ? value : 0;
    else if (arg === Arg.device) this.device = value;
    else if (arg === Arg.allocated) this.allocatedBytes = value;
    else if (arg === Arg.size) this.sizeBytes = value;
    else this.deviceType = value;
  }
}

/** Results of `findMember` beside a position. */
const NEEDS_MORE = -1;
const NOT_FOUND = -2;

/** No process can address more. */
const MAX_COPY_BYTES = 2 ** 47;

/** A whole number that is written as `1048576.0` or `1e6`; -1 for anything else. */
function writtenWithPoint(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 32) return -1;
  const text = String.fromCharCode(...bytes.subarray(from, to));
  const value = /^\d+(\.\d+)?([eE][+]?\d+)?$/.test(text) ? Number(text) : -1;
  return Number.isInteger(value) ? value : -1;
}

/** A whole number below 2^53; -1 for anything else. */
function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < Byte.zero || byte > Byte.nine) return -1;
    value = value * 10 + byte - Byte.zero;
  }
  return value < 2 ** 53 ? value : -1;
}

const ARG_NAMES: readonly (readonly [string, number])[] = [
  ["correlation", Arg.correlation],
  ["correlation_id", Arg.correlation],
  ["bytes", Arg.bytes],
  ["Bytes", Arg.bytes],
  ["device", Arg.device],
  ["Device Id", Arg.device],
  ["name", Arg.text],
  ["labels", Arg.text],
  ["Total Allocated", Arg.allocated],
  ["Device Type", Arg.deviceType],
  ["Task Type", Arg.taskType],
  ["direction", Arg.direction],
  ["size", Arg.size],
];

const ARGS_BY_LENGTH = Array.from({ length: 16 }, (_, length) =>
  ARG_NAMES.filter(([name]) => name.length === length).map(([name, arg]) => ({
    arg,
    codes: Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
  })),
);

function argOf(bytes: Uint8Array, from: number, to: number): number {
  const candidates = ARGS_BY_LENGTH[to - from];
  if (candidates === undefined) return Arg.other;
  for (const { codes, arg } of candidates) {
    let at = 0;
    while (at < codes.length && codes[at] === bytes[from + at]) at++;
    if (at === codes.length) return arg;
  }
  return Arg.other;
}
