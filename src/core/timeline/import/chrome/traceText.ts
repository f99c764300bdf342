import type { ReportBuilder } from "../reportBuilder.js";
import type { ElementSink } from "./elementSink.js";
import { Byte, skipSpace, skipString, skipValue, ValueSkipper, WordBytes } from "./jsonBytes.js";
import { MALFORMED, NEEDS_MORE, type TraceElement } from "./traceElement.js";

/** A larger element is skipped: whatever it holds, it is no event of a timeline. */
const MAX_ELEMENT_BYTES = 16 * 2 ** 20;
/** Top-level members that are worth keeping, and how large they may be. */
const KEPT_MEMBERS = new Set([
  "baseTimeNanoseconds",
  "deviceProperties",
  "distributedInfo",
  "traceName",
  "displayTimeUnit",
]);
const MAX_MEMBER_BYTES = 2 ** 20;
const EXAMPLE_BYTES = 120;

/** Where in the file the reader is. */
const State = { start: 0, members: 1, elements: 2, done: 3, skipValue: 4, skipElement: 5, resync: 6 } as const;

/**
 * Splits the text of a trace into elements, from pieces of any size. The bytes in hand are one buffer, of which the unread rest
 * moves to the front when more arrive: an element is read once it lies there whole.
 */
export class TraceText {
  /** Raw bytes of the members outside of `traceEvents` that are kept. */
  readonly members = new Map<string, Uint8Array>();
  /** Set where this can be no trace: what is wrong, in one sentence. */
  refusal: string | undefined;
  hasElements = false;
  private text = new WordBytes(2 ** 16);
  private buffer = this.text.bytes;
  private from = 0;
  private end = 0;
  /** Position of `buffer[0]` in the text. */
  private base = 0;
  private state: number = State.start;
  private isArrayForm = false;
  /** Something follows the end of the trace. */
  private hasMore = false;
  private afterElement = false;
  private skipper = new ValueSkipper();
  private afterSkip: number = State.members;

  constructor(
    private readonly element: TraceElement,
    private readonly report: ReportBuilder,
  ) {}

  /** Bytes of text so far. */
  get length(): number {
    return this.base + this.end;
  }

  /** Reads as far as the bytes reach. */
  push(bytes: Uint8Array, sink: ElementSink): void {
    if (this.refusal !== undefined || this.hasMore) {
      this.base += bytes.length;
      return;
    }
    this.append(bytes);
    while (this.advance(sink));
    if (this.state === State.done) this.lookBehind();
    if (this.end - this.from > MAX_ELEMENT_BYTES && this.state === State.elements) this.giveUpElement();
  }

  /** Call at the end of the file: the rest of an element is dropped. */
  finish(): void {
    if (this.refusal !== undefined) return;
    if (this.state === State.start) this.refusal = "It holds nothing but white space.";
    if (this.state === State.done) return;
    const rest = skipSpace(this.buffer, this.from, this.end);
    const isInElement =
      this.state === State.skipElement || ((this.state === State.elements || this.state === State.resync) && rest >= 0);
    if (this.state === State.elements && isInElement && this.buffer[rest] === Byte.comma) {
      this.endOpen(false);
      return;
    }
    if (isInElement && this.state !== State.resync) {
      this.report.total++;
      this.report.note("TRUNCATED", this.base + Math.max(rest, 0), () => this.exampleAt(this.base + Math.max(rest, 0)));
    }
    this.endOpen(isInElement);
  }

  /** The beginning of an element that still lies in the buffer. */
  exampleAt(offset: number): string {
    const at = Math.max(0, offset - this.base);
    const piece = this.buffer.subarray(at, Math.min(this.end, at + EXAMPLE_BYTES));
    return Array.from(piece, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte < 0x80 ? " " : "?",
    )
      .join("")
      .replace(/\s+/g, " ");
  }

  /** An array may end without its bracket, by the rules of Chrome; an object may not. */
  private endOpen(isInElement: boolean): void {
    this.report.isTruncated = isInElement || !this.isArrayForm;
  }

  /** After the end there may be white space and NUL bytes, which some writers fill their last block with. */
  private lookBehind(): void {
    let at = this.from;
    while (at < this.end && (this.buffer[at] ?? 0) <= 0x20) at++;
    this.from = at;
    if (at === this.end) return;
    this.hasMore = true;
    const offset = this.base + at;
    this.report.note("MORE_TEXT", offset, () => this.exampleAt(offset));
  }

  private append(bytes: Uint8Array): void {
    const rest = this.end - this.from;
    if (rest + bytes.length > this.text.capacity) {
      const larger = new WordBytes(Math.max(this.text.capacity * 2, rest + bytes.length));
      larger.bytes.set(this.buffer.subarray(this.from, this.end));
      this.text = larger;
      this.buffer = larger.bytes;
    } else if (this.from > 0) this.buffer.copyWithin(0, this.from, this.end);
    this.base += this.from;
    this.from = 0;
    this.buffer.set(bytes, rest);
    this.end = rest + bytes.length;
  }

  /** One step; false where more bytes are needed. */
  private advance(sink: ElementSink): boolean {
    switch (this.state) {
      case State.start:
        return this.readStart();
      case State.members:
        return this.readMember();
      case State.elements:
        return this.readElements(sink);
      case State.resync:
        return this.resync();
      case State.skipValue:
      case State.skipElement: {
        const after = this.skipper.skip(this.buffer, this.from, this.end);
        this.from = after < 0 ? this.end : after;
        if (after >= 0) this.state = this.afterSkip;
        return after >= 0;
      }
      default:
        return false;
    }
  }

  private readStart(): boolean {
    // Three bytes tell a byte order mark.
    if (this.end - this.from < 3 && this.base === 0 && (this.buffer[this.from] ?? 0) >= 0x80) return false;
    if (this.buffer[0] === 0xef && this.buffer[1] === 0xbb && this.buffer[2] === 0xbf && this.base === 0) this.from = 3;
    const at = skipSpace(this.buffer, this.from, this.end);
    if (at < 0) {
      this.from = this.end;
      return false;
    }
    const first = this.buffer[at];
    this.from = at + 1;
    if (first === Byte.openBrace) this.state = State.members;
    else if (first === Byte.openBracket) {
      this.isArrayForm = true;
      this.hasElements = true;
      this.state = State.elements;
    } else this.refusal = "It begins with neither { nor [.";
    return this.refusal === undefined;
  }

  private readMember(): boolean {
    const { buffer, end } = this;
    let at = skipSpace(buffer, this.from, end);
    if (at < 0) return false;
    if (buffer[at] === Byte.comma) {
      this.from = at + 1;
      return true;
    }
    if (buffer[at] === Byte.closeBrace) {
      this.from = at + 1;
      this.state = State.done;
      return false;
    }
    if (buffer[at] !== Byte.quote) return this.refuse("It is no JSON object.");
    const keyFrom = at + 1;
    const keyEnd = skipString(buffer, keyFrom, end);
    if (keyEnd < 0) return this.end - this.from < MAX_ELEMENT_BYTES ? false : this.refuse("A key never ends.");
    at = skipSpace(buffer, keyEnd, end);
    if (at < 0) return false;
    if (buffer[at] !== Byte.colon) return this.refuse("A key has no value.");
    at = skipSpace(buffer, at + 1, end);
    if (at < 0) return false;
    const key = latinText(buffer, keyFrom, Math.min(keyEnd - 1, keyFrom + 64));
    if (key === "traceEvents" && (!this.hasElements || buffer[at] === Byte.openBracket)) {
      if (buffer[at] !== Byte.openBracket) return this.refuse("Its traceEvents are no list.");
      if (this.hasElements) this.report.note("EVENTS_TWICE", this.base + this.from, () => "");
      this.hasElements = true;
      this.from = at + 1;
      this.state = State.elements;
      return true;
    }
    return KEPT_MEMBERS.has(key) ? this.keepMember(key, at) : this.skipFrom(at, State.skipValue, State.members);
  }

  private keepMember(key: string, at: number): boolean {
    const after = skipValue(this.buffer, at, this.end);
    if (after < 0) {
      if (this.end - at < MAX_MEMBER_BYTES) return false;
      return this.skipFrom(at, State.skipValue, State.members);
    }
    this.members.set(key, this.buffer.slice(at, after));
    this.from = after;
    return true;
  }

  /** Reads as many elements as lie in the buffer whole. */
  private readElements(sink: ElementSink): boolean {
    const { text, buffer, end, element, report } = this;
    for (;;) {
      const at = skipSpace(buffer, this.from, end);
      if (at < 0) {
        this.noteNulBytes(this.from, end);
        this.from = end;
        return false;
      }
      if (at > this.from) this.noteNulBytes(this.from, at);
      const first = buffer[at];
      if (first === Byte.comma) {
        this.afterElement = false;
        this.from = at + 1;
        continue;
      }
      if (first === Byte.closeBracket) {
        this.from = at + 1;
        this.afterElement = false;
        this.state = this.isArrayForm ? State.done : State.members;
        return !this.isArrayForm;
      }
      if (first !== Byte.openBrace) {
        if (!this.dropForeign(at)) return false;
        if (this.state !== State.elements) return true;
        continue;
      }
      const after = element.read(text, at, end);
      if (after === NEEDS_MORE) {
        this.from = at;
        return false;
      }
      const offset = this.base + at;
      report.total++;
      if (after === MALFORMED) {
        report.note("MALFORMED", offset, () => this.exampleAt(offset));
        this.from = at + 1;
        this.state = State.resync;
        return true;
      }
      if (this.afterElement) report.note("COMMA_MISSING", offset, () => this.exampleAt(offset));
      this.afterElement = true;
      this.from = after;
      sink.take(element, offset);
    }
  }

  /** White space may hold bytes that JSON does not know; they are stepped over, and said. */
  private noteNulBytes(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = this.buffer[at] ?? 0x20;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      const offset = this.base + at;
      this.report.note("SPACE_REPAIRED", offset, () => `byte ${byte}`);
      return;
    }
  }

  /** An element that is no object; false where it does not lie in the buffer whole. */
  private dropForeign(at: number): boolean {
    const { buffer, end, report } = this;
    const after = skipValue(buffer, at, end);
    if (after < 0) {
      this.from = at;
      return false;
    }
    const offset = this.base + at;
    report.total++;
    report.note("NOT_AN_OBJECT", offset, () => this.exampleAt(offset));
    // A stray closing brace is a value of no length: step over it.
    this.from = Math.max(after, at + 1);
    this.afterElement = true;
    return true;
  }

  /** After broken JSON: the next `{` that follows a `}` and a comma begins an element. */
  private resync(): boolean {
    const { buffer, end } = this;
    let at = this.from;
    for (; ; at++) {
      at = buffer.indexOf(Byte.closeBrace, at);
      if (at < 0 || at >= end) break;
      const comma = skipSpace(buffer, at + 1, end);
      if (comma < 0) break;
      if (buffer[comma] === Byte.closeBracket) return this.resumeAt(comma);
      if (buffer[comma] !== Byte.comma) continue;
      const brace = skipSpace(buffer, comma + 1, end);
      if (brace < 0) break;
      if (buffer[brace] === Byte.openBrace) return this.resumeAt(brace);
    }
    // Keep what may be the beginning of the mark.
    this.from = at < 0 || at >= end ? end : at;
    if (this.end - this.from > MAX_ELEMENT_BYTES) this.from = this.end;
    return false;
  }

  private resumeAt(at: number): boolean {
    this.from = at;
    this.afterElement = false;
    this.state = State.elements;
    return true;
  }

  private giveUpElement(): void {
    const at = skipSpace(this.buffer, this.from, this.end);
    if (at < 0) return;
    const offset = this.base + at;
    this.report.total++;
    this.report.note("TOO_LARGE", offset, () => this.exampleAt(offset));
    this.afterElement = true;
    this.skipFrom(at, State.skipElement, State.elements);
    this.from = this.end;
    // What lies in the buffer is part of the element; the skipper has to see it.
    const after = this.skipper.skip(this.buffer, at, this.end);
    if (after < 0) return;
    this.from = after;
    this.state = State.elements;
  }

  private skipFrom(at: number, state: number, then: number): boolean {
    this.skipper = new ValueSkipper();
    this.from = at;
    this.state = state;
    this.afterSkip = then;
    return true;
  }

  private refuse(cause: string): boolean {
    this.refusal = cause;
    return false;
  }
}

function latinText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}
