/** Names as ranges of one array of character codes, so that 100,000 of them need no text each. */
export interface NameSpans {
  readonly codes: Uint8Array | Uint16Array;
  /** Where each name begins and ends (exclusive); entries from `count` on mean nothing. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
}

/** The spans of names that are texts already. */
export function spansOf(names: readonly string[]): NameSpans {
  const length = names.reduce((sum, name) => sum + name.length, 0);
  const codes = new Uint16Array(length);
  const starts = new Int32Array(names.length);
  const ends = new Int32Array(names.length);
  let next = 0;
  for (const [at, name] of names.entries()) {
    starts[at] = next;
    for (let index = 0; index < name.length; index += 1) codes[next + index] = name.charCodeAt(index);
    next += name.length;
    ends[at] = next;
  }
  return { codes, starts, ends, count: names.length };
}

/** The text of the name number `at`. */
export function spanText({ codes, starts, ends }: NameSpans, at: number): string {
  return codesText(codes, starts[at] ?? 0, ends[at] ?? 0);
}

/** The text of a range of character codes. */
export function codesText(codes: Uint8Array | Uint16Array, start: number, end: number): string {
  let text = "";
  // A call takes a limited number of arguments.
  for (let from = start; from < end; from += 4096) {
    text += String.fromCharCode(...codes.subarray(from, Math.min(end, from + 4096)));
  }
  return text;
}

/** A list of whole numbers that grows; `values` has room for more than `length`. */
export class CountList {
  values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length] = value;
    this.length += 1;
  }
}
