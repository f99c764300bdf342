import { Category } from "./category.js";
import { Byte, skipNested, skipSpace, skipString, skipValue } from "./jsonBytes.js";
import type { NameTable } from "./nameTable.js";
import { hashBytes } from "./nameTable.js";

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
} as const;

/** The members of `args` that reach the columns; -1 or `undefined` where absent. */
export class ElementArgs {
  correlation = 0;
  bytes = 0;
  device = -1;
  /** Number of `name` or `labels` in the table of names. */
  text = -1;
  /** `Total Allocated` of a memory event, in bytes. */
  allocatedBytes = -1;
  /** 0 host, 1 device, as the framework numbers them. */
  deviceType = -1;
  /** Number of the name of Ascend's `Task Type`. */
  taskType = -1;

  constructor(private readonly names: NameTable) {}

  reset(): void {
    this.correlation = 0;
    this.bytes = 0;
    this.device = -1;
    this.text = -1;
    this.allocatedBytes = -1;
    this.deviceType = -1;
    this.taskType = -1;
  }

  /** Reads the object whose `{` is at `from`; the position after it, or -1 where the bytes end first. */
  read(bytes: Uint8Array, from: number, end: number, category: number): number {
    let at = from + 1;
    for (;;) {
      at = skipSpace(bytes, at, end);
      if (at < 0) return -1;
      const byte = bytes[at];
      if (byte === Byte.closeBrace) return at + 1;
      if (byte === Byte.comma) {
        at++;
        continue;
      }
      // Whatever it is, the brackets still say where it ends.
      if (byte !== Byte.quote) return skipNested(bytes, at, end);
      const keyFrom = at + 1;
      const keyEnd = skipString(bytes, keyFrom, end);
      if (keyEnd < 0) return -1;
      at = skipSpace(bytes, keyEnd, end);
      if (at < 0) return -1;
      if (bytes[at] !== Byte.colon) return skipNested(bytes, at, end);
      at = skipSpace(bytes, at + 1, end);
      if (at < 0) return -1;
      const after = skipValue(bytes, at, end);
      if (after < 0) return -1;
      this.take(argOf(bytes, keyFrom, keyEnd - 1), bytes, at, after);
      // What a kernel has behind its correlation is never needed, and it is most of the file.
      if (this.correlation !== 0 && (category === Category.kernel || category === Category.runtime))
        return skipNested(bytes, after, end);
      at = after;
    }
  }

  private take(arg: number, bytes: Uint8Array, from: number, to: number): void {
    if (arg === Arg.other) return;
    if (arg === Arg.text || arg === Arg.taskType) {
      if (bytes[from] !== Byte.quote) return;
      const isRaw = !bytes.subarray(from + 1, to - 1).includes(Byte.backslash);
      const name = this.names.intern(bytes, from + 1, to - 1, hashBytes(bytes, from + 1, to - 1), isRaw);
      if (arg === Arg.text) this.text = name;
      else this.taskType = name;
      return;
    }
    const value = wholeNumber(bytes, from, to);
    if (value < 0) return;
    if (arg === Arg.correlation) this.correlation = value < 2 ** 32 ? value : 0;
    else if (arg === Arg.bytes) this.bytes = value;
    else if (arg === Arg.device) this.device = value;
    else if (arg === Arg.allocated) this.allocatedBytes = value;
    else this.deviceType = value;
  }
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
