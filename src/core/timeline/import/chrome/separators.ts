import type { WordBytes } from "./jsonBytes.js";

/** Different texts that are tried at one place. Regular files have one or a few. */
const MOST_FOLLOWERS = 16;
const MOST_BYTES = 256;
/** Per file; what is beyond them is read byte by byte. */
export const MOST_SEPARATORS = 4_096;

/**
 * What stands between two values of an object: comma, key, colon and white space (`, "dur": `), or the end of the object. A
 * profiler writes the same few texts over and over; where the bytes in hand are a text that was read once, they are compared
 * eight at a time and need not be read again. Values that are the same for very many elements can be part of the text.
 */
export class Separator {
  /** What its reader wants to know about the key whose value follows. */
  key = 0;
  /** Nothing follows: the text ends with the `}` of the object. */
  endsObject = false;
  /** What the values within the texts up to here say; for the reader of elements. */
  phase = 0;
  category = 0;
  categoryName = -1;
  /** What was seen after the value that follows this separator, the latest first. */
  private first: Separator | null = null;
  private sibling: Separator | null = null;
  private followers = 0;
  private inside: Separator | null = null;

  private constructor(
    readonly length: number,
    private readonly words: Float64Array,
    /** What is left behind the whole words, as two numbers, and which of their bits count. */
    private readonly low: number,
    private readonly lowMask: number,
    private readonly high: number,
    private readonly highMask: number,
    private readonly budget: { left: number },
  ) {}

  /** The place before the first member of an object, from which at most `most` separators are learned. */
  static start(most: number): Separator {
    return Separator.empty({ left: most });
  }

  private static empty(budget: { left: number }): Separator {
    return new Separator(0, new Float64Array(), 0, 0, 0, 0, budget);
  }

  /** The place before the first member of the object that is the value after this separator. */
  get insideValue(): Separator {
    this.inside ??= Separator.empty(this.budget);
    return this.inside;
  }

  /** The known separator that stands at `at` of the text, where a value begins behind it before `end`; else `null`. */
  next(view: DataView, at: number, end: number): Separator | null {
    const { first } = this;
    return first === null || first.isAt(view, at, end) ? first : this.nextOther(first, view, at, end);
  }

  /**
   * Keeps the separator in `text[from, to)`, which was just read at this place. Returns the place behind it; `null` where it is
   * not kept.
   */
  learn({ bytes }: WordBytes, from: number, to: number): Separator | null {
    const length = to - from;
    if (this.followers >= MOST_FOLLOWERS || length > MOST_BYTES || this.budget.left <= 0) return null;
    // As numbers, bytes of text are equal only if they are the same.
    for (let at = from; at < to; at++) if (!isText(bytes[at] ?? 0)) return null;
    this.budget.left--;
    this.followers++;
    const padded = new Uint8Array(length + 8);
    padded.set(bytes.subarray(from, to));
    const view = new DataView(padded.buffer);
    const whole = Math.floor(length / 8);
    const rest = length % 8;
    const words = Float64Array.from({ length: whole }, (_, at) => view.getFloat64(at * 8, true));
    const [low, high] = [view.getInt32(whole * 8, true), view.getInt32(whole * 8 + 4, true)];
    const separator = new Separator(length, words, low, maskOf(rest), high, maskOf(rest - 4), this.budget);
    separator.sibling = this.first;
    this.first = separator;
    return separator;
  }

  private nextOther(first: Separator, view: DataView, at: number, end: number): Separator | null {
    let before = first;
    for (let one = first.sibling; one !== null; one = one.sibling) {
      if (one.isAt(view, at, end)) {
        before.sibling = one.sibling;
        one.sibling = first;
        this.first = one;
        return one;
      }
      before = one;
    }
    return null;
  }

  private isAt(view: DataView, from: number, end: number): boolean {
    const { words, endsObject } = this;
    const to = from + this.length;
    if (to > end || (to === end && !endsObject)) return false;
    let at = from;
    for (let word = 0; word < words.length; word++, at += 8)
      if (view.getFloat64(at, true) !== words[word]) return false;
    const low = (view.getInt32(at, true) ^ this.low) & this.lowMask;
    const high = (view.getInt32(at + 4, true) ^ this.high) & this.highMask;
    // More white space than there was: the value begins later.
    return (low | high) === 0 && (endsObject || view.getUint8(to) > 0x20);
  }
}

/** Selects the first `count` bytes of a word of four. */
function maskOf(count: number): number {
  if (count >= 4) return -1;
  return count <= 0 ? 0 : (1 << (count * 8)) - 1;
}

function isText(byte: number): boolean {
  return byte >= 0x09 && byte < 0x7f;
}
