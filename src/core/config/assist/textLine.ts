import type { TextSpan } from "../document/diagnostic.js";
import { lineEndAt, lineStartAt, nextLineAt } from "../yaml/lineBreaks.js";

/** Offsets of the line that holds `offset`; `end` is before the line break. */
export function lineAround(text: string, offset: number): TextSpan {
  const start = lineStartAt(text, offset);
  return { start, end: lineEndAt(text, start) };
}

/** The line above the one that starts at `lineStart`. */
export function lineAbove(text: string, lineStart: number): TextSpan | undefined {
  if (lineStart === 0) return undefined;
  const start = lineStartAt(text, lineStart - 1);
  return { start, end: lineEndAt(text, start) };
}

/** The line below the one that starts at `lineStart`. */
export function lineBelow(text: string, lineStart: number): TextSpan | undefined {
  const end = lineEndAt(text, lineStart);
  if (end === text.length) return undefined;
  const start = nextLineAt(text, end);
  return { start, end: lineEndAt(text, start) };
}

/** Offset of the first letter that is no blank, or the end. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

/** A key on one line with its colon; `colon` is its offset. */
export interface LineKey {
  readonly key: string;
  readonly span: TextSpan;
  readonly colon: number;
}

/** How one line of block YAML is built: markers of lists, then perhaps a key. Offsets are of the whole text. */
export interface LineShape {
  readonly line: TextSpan;
  /** Each `-` that opens a list entry on this line. */
  readonly dashes: readonly number[];
  /** First letter behind the markers; the end of the line where nothing follows. */
  readonly content: number;
  readonly key?: LineKey;
}

/** Reads the shape of a line; `undefined` for blank lines and comments. */
export function shapeOf(text: string, line: TextSpan): LineShape | undefined {
  const dashes: number[] = [];
  let at = skipBlanks(text, line.start, line.end);
  if (at >= line.end || text[at] === "#") return undefined;
  while (text[at] === "-" && (at + 1 >= line.end || text[at + 1] === " " || text[at + 1] === "\t")) {
    dashes.push(at);
    at = skipBlanks(text, at + 1, line.end);
  }
  const key = readLineKey(text, at, line.end);
  return { line, dashes, content: at, ...(key === undefined ? {} : { key }) };
}

/** The first key that could start at `from`: plain or quoted, with a colon and a blank or the end behind it. */
export function readLineKey(text: string, from: number, end: number): LineKey | undefined {
  const quote = text[from];
  if (quote === '"' || quote === "'") return readQuotedKey(text, from, end, quote);
  if (from >= end || "[]{}#&*!|>%@`,".includes(text[from] ?? "")) return undefined;
  for (let at = from; at < end; at++) {
    const letter = text[at];
    if (letter === "#" && isBlank(text[at - 1])) return undefined;
    if (letter !== ":" || !(at + 1 >= end || isBlank(text[at + 1]))) continue;
    let keyEnd = at;
    while (keyEnd > from && isBlank(text[keyEnd - 1])) keyEnd--;
    return { key: text.slice(from, keyEnd), span: { start: from, end: keyEnd }, colon: at };
  }
  return undefined;
}

function readQuotedKey(text: string, from: number, end: number, quote: string): LineKey | undefined {
  const close = closingQuote(text, from, end, quote);
  if (close === undefined) return undefined;
  const colon = skipBlanks(text, close + 1, end);
  if (text[colon] !== ":" || !(colon + 1 >= end || isBlank(text[colon + 1]))) return undefined;
  return { key: text.slice(from + 1, close), span: { start: from, end: close + 1 }, colon };
}

/** Offset of the quote that ends the text opened at `open`; `undefined` when the line ends first. */
export function closingQuote(text: string, open: number, end: number, quote: string): number | undefined {
  for (let at = open + 1; at < end; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (quote === "'" && text[at] === "'" && text[at + 1] === "'") at++;
    else if (text[at] === quote) return at;
  }
  return undefined;
}

/** True for blanks inside a line; also for what stands outside the text. */
export function isBlank(letter: string | undefined): boolean {
  return letter === " " || letter === "\t" || letter === undefined;
}
