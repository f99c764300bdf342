import type { TextSpan } from "../document/diagnostic.js";
import { UNKNOWN_MARK } from "../hydra/value.js";

/** How the shell found a character: which quotes it stood in where it was written. */
export type Quoting = "none" | "escaped" | "single" | "double" | "ansi";

/**
 * A stretch of text on its way to a program. `start` and `end` are offsets into the source; a text maps character by
 * character when both are equally long, else every character comes from the whole stretch (`\n` inside `$'…'`).
 * A `quote` has no text: it remembers a quote character that the shell removed.
 */
export type Piece =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly quoting: Quoting;
      /** The variable that it came out of, if any. */
      readonly variable?: string;
    }
  | { readonly kind: "quote"; readonly character: string; readonly start: number; readonly end: number }
  | { readonly kind: "unknown"; readonly start: number; readonly end: number; readonly variable?: string }
  | { readonly kind: "bad"; readonly start: number; readonly end: number };

/** A quote character that did not reach the program; it stood before the character at `index` of the text. */
export interface RemovedQuote {
  readonly character: string;
  readonly index: number;
  readonly span: TextSpan;
}

/** Text with the source position of every UTF-16 unit. */
export interface TracedText {
  /** `UNKNOWN_MARK` stands for each stretch that is known only at run time. */
  readonly text: string;
  /** Offset of the source where each unit begins; as long as `text`. */
  readonly starts: readonly number[];
  /** Offset of the source where each unit ends, exclusive; as long as `text`. */
  readonly ends: readonly number[];
  /** How each unit was quoted where it was written; as long as `text`. */
  readonly quoting: readonly Quoting[];
  readonly removedQuotes: readonly RemovedQuote[];
}

/** Joins pieces into one text. Work is linear in the length of the result. */
export function traceText(pieces: readonly Piece[]): TracedText {
  const texts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const quoting: Quoting[] = [];
  const removedQuotes: RemovedQuote[] = [];
  for (const piece of pieces) {
    if (piece.kind === "quote") {
      const span = { start: piece.start, end: piece.end };
      removedQuotes.push({ character: piece.character, index: starts.length, span });
      continue;
    }
    const text = piece.kind === "text" ? piece.text : UNKNOWN_MARK;
    const exact = piece.end - piece.start === text.length;
    texts.push(text);
    for (let i = 0; i < text.length; i++) {
      starts.push(exact ? piece.start + i : piece.start);
      ends.push(exact ? piece.start + i + 1 : piece.end);
      quoting.push(piece.kind === "text" ? piece.quoting : "none");
    }
  }
  return { text: texts.join(""), starts, ends, quoting, removedQuotes };
}

/**
 * Where units `from` to `to` (exclusive) of the text stand in the source. Text that was put together from several
 * places is reported at the stretch that its first unit begins, as far as it runs on.
 */
export function sourceSpan(traced: TracedText, from: number, to: number): TextSpan {
  const start = traced.starts[from];
  if (start === undefined || to <= from) {
    const before = traced.ends[from - 1];
    const at = before ?? traced.starts[from] ?? traced.removedQuotes[0]?.span.end ?? 0;
    return { start: at, end: at };
  }
  let end = start;
  for (let i = from; i < to; i++) {
    const unitStart = traced.starts[i] ?? end;
    // A gap of quotes and backslashes is small; a jump is the way into the text of a variable and back.
    if (unitStart < end - 1 || unitStart > end + MAX_GAP) break;
    end = Math.max(end, traced.ends[i] ?? end);
  }
  return { start, end };
}

/** Longest run of removed quotes, backslashes and line continuations inside one word that still counts as one place. */
const MAX_GAP = 4;

/** The pieces of a text that stands one to one in the source, for readers of other file kinds. */
export function plainPiece(text: string, start: number): Piece {
  return { kind: "text", text, start, end: start + text.length, quoting: "none" };
}
