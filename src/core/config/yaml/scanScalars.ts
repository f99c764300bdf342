import { type Cursor, end, isBlankOrEnd, isBreakOrEnd, isSpaceOrEnd, nameOf } from "./cursor.js";
import { endsLine } from "./lineBreaks.js";
import type { Token } from "./tokens.js";

/*
 * The three ways to write a scalar, read as PyYAML's `scan_flow_scalar`, `scan_block_scalar` and `scan_plain` read them.
 */

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "\\": "\\",
  "/": "/",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};
const codeDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const maxCodePoint = 0x10ffff;

/** A text in quotes. */
export function scanQuoted(cursor: Cursor): Token {
  const start = cursor.at;
  const quote = cursor.peek();
  cursor.forward();
  let text = quotedWord(cursor, quote, start);
  while (cursor.peek() !== quote) text += quotedGap(cursor, start) + quotedWord(cursor, quote, start);
  cursor.forward();
  return { kind: "scalar", start, end: cursor.at, text, style: "quoted" };
}

/** Up to blank space, the end of the text, or the quote that closes. */
function quotedWord(cursor: Cursor, quote: string, start: number): string {
  let text = "";
  for (;;) {
    let length = 0;
    while (!isWordEnd(cursor.peek(length))) length++;
    text += cursor.take(length);
    const next = cursor.peek();
    if (quote === "'" && next === "'" && cursor.peek(1) === "'") {
      text += "'";
      cursor.forward(2);
    } else if (quote === '"' && next === "\\") text += escaped(cursor, start);
    else if (next !== quote && (next === "'" || next === '"' || next === "\\")) text += cursor.take(1);
    else return text;
  }
}

function isWordEnd(letter: string): boolean {
  return letter === "'" || letter === '"' || letter === "\\" || isSpaceOrEnd(letter);
}

function escaped(cursor: Cursor, start: number): string {
  const escapeStart = cursor.at;
  cursor.forward();
  const letter = cursor.peek();
  const replacement = escapes[letter];
  if (replacement !== undefined && letter !== end) {
    cursor.forward();
    return replacement;
  }
  if (endsLine(letter)) {
    cursor.takeBreak();
    return quotedBreaks(cursor, start);
  }
  const digits = codeDigits[letter];
  const written = digits === undefined ? "" : cursor.text.slice(cursor.at + 1, cursor.at + 1 + digits);
  const code = /^[0-9A-Fa-f]+$/.test(written) && written.length === digits ? Number.parseInt(written, 16) : undefined;
  if (code === undefined || code > maxCodePoint) {
    const message = `No escape of YAML starts with \\${letter === end ? "" : letter} here. Write \\\\ for a backslash, or use single quotes`;
    throw cursor.refuse("BAD_ESCAPE", message, escapeStart);
  }
  cursor.forward(1 + written.length);
  return String.fromCodePoint(code);
}

function quotedGap(cursor: Cursor, start: number): string {
  const blanksStart = cursor.at;
  while (cursor.peek() === " " || cursor.peek() === "\t") cursor.forward();
  if (cursor.peek() === end) throw cursor.refuse("MISSING_QUOTE", "The quote that opens here is never closed", start);
  if (!endsLine(cursor.peek())) return cursor.text.slice(blanksStart, cursor.at);
  const first = cursor.takeBreak();
  return folded(first, quotedBreaks(cursor, start));
}

/** One line feed is folded into a space, several keep all but the first; U+2028 and U+2029 always stay. */
function folded(first: string, breaks: string): string {
  if (first !== "\n") return first + breaks;
  return breaks === "" ? " " : breaks;
}

function quotedBreaks(cursor: Cursor, start: number): string {
  let breaks = "";
  for (;;) {
    if (cursor.isAtDocumentMark()) {
      throw cursor.refuse("MISSING_QUOTE", "A document mark stands inside the quotes that open here", start);
    }
    while (cursor.peek() === " " || cursor.peek() === "\t") cursor.forward();
    if (!endsLine(cursor.peek())) return breaks;
    breaks += cursor.takeBreak();
  }
}

/** A text behind `|` or `>`. `parentIndent`: the column of the collection that it stands in, -1 on the top level. */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): Token {
  const start = cursor.at;
  const isFolded = cursor.peek() === ">";
  cursor.forward();
  const { chomping, increment } = blockHeader(cursor);
  const least = Math.max(1, parentIndent + 1);
  let breaks = "";
  let indent = least + (increment ?? 1) - 1;
  if (increment === undefined) {
    const leading = leadingBreaks(cursor);
    breaks = leading.breaks;
    indent = Math.max(least, leading.deepest);
  } else breaks = blockBreaks(cursor, indent);
  let text = "";
  let lineBreak = "";
  while (cursor.column === indent && cursor.peek() !== end) {
    text += breaks;
    const startsWithText = !isSpace(cursor.peek());
    const lineStart = cursor.at;
    while (!isBreakOrEnd(cursor.peek())) cursor.forward();
    text += cursor.text.slice(lineStart, cursor.at);
    lineBreak = cursor.takeBreak();
    breaks = blockBreaks(cursor, indent);
    if (cursor.column !== indent || cursor.peek() === end) break;
    const isJoined = isFolded && lineBreak === "\n" && startsWithText && !isSpace(cursor.peek());
    if (!isJoined) text += lineBreak;
    else if (breaks === "") text += " ";
  }
  if (chomping !== "-") text += lineBreak;
  if (chomping === "+") text += breaks;
  return { kind: "scalar", start, end: cursor.at, text, style: "block" };
}

function isSpace(letter: string): boolean {
  return letter === " " || letter === "\t";
}

interface BlockHeader {
  readonly chomping: string | undefined;
  readonly increment: number | undefined;
}

function blockHeader(cursor: Cursor): BlockHeader {
  const start = cursor.at;
  const written = /^(?:([+-])([0-9])?|([0-9])([+-])?)?/.exec(cursor.text.slice(start, start + 2)) ?? [];
  cursor.forward(written[0]?.length ?? 0);
  const digit = written[2] ?? written[3];
  const isClean = digit !== "0" && isBlankOrEnd(cursor.peek());
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isClean || !isBreakOrEnd(cursor.peek())) {
    const message = "Behind | or > stand only +, - and a digit from 1 to 9; the text itself starts on the next line";
    throw cursor.refuse("BLOCK_HEADER", message, isClean ? cursor.at : start);
  }
  cursor.takeBreak();
  return { chomping: written[1] ?? written[4], increment: digit === undefined ? undefined : Number(digit) };
}

/** Blank lines above the first line of text, and the widest indentation up to it. */
function leadingBreaks(cursor: Cursor): { breaks: string; deepest: number } {
  let breaks = "";
  let deepest = 0;
  for (;;) {
    if (cursor.peek() === " ") {
      cursor.forward();
      deepest = Math.max(deepest, cursor.column);
    } else if (endsLine(cursor.peek())) breaks += cursor.takeBreak();
    else return { breaks, deepest };
  }
}

function blockBreaks(cursor: Cursor, indent: number): string {
  let breaks = "";
  for (;;) {
    while (cursor.column < indent && cursor.peek() === " ") cursor.forward();
    if (!endsLine(cursor.peek())) return breaks;
    breaks += cursor.takeBreak();
  }
}

/** A text without quotes, and whether a line break follows it: then a key may come next. */
export function scanPlain(cursor: Cursor, parentIndent: number, inFlow: boolean): { token: Token; crossed: boolean } {
  const start = cursor.at;
  let textEnd = start;
  let text = "";
  let gap = "";
  let crossed = false;
  while (cursor.peek() !== "#") {
    let length = 0;
    while (!endsPlain(cursor, length, inFlow)) length++;
    if (length === 0) break;
    crossed = false;
    text += gap + cursor.take(length);
    textEnd = cursor.at;
    const spaces = plainGap(cursor);
    crossed = spaces.crossed;
    gap = spaces.text ?? "";
    if (gap === "" || (!inFlow && cursor.column < parentIndent + 1)) break;
  }
  return { token: { kind: "scalar", start, end: textEnd, text, style: "plain" }, crossed };
}

function endsPlain(cursor: Cursor, ahead: number, inFlow: boolean): boolean {
  const letter = cursor.peek(ahead);
  if (isSpaceOrEnd(letter)) return true;
  if (letter === ":") {
    const next = cursor.peek(ahead + 1);
    return isSpaceOrEnd(next) || (inFlow && ",[]{}".includes(next));
  }
  return inFlow && ",?[]{}".includes(letter);
}

/** `text` is absent where a document mark ends the scalar. */
function plainGap(cursor: Cursor): { text?: string; crossed: boolean } {
  const blanksStart = cursor.at;
  cursor.skipBlanks();
  if (!endsLine(cursor.peek())) return { text: cursor.text.slice(blanksStart, cursor.at), crossed: false };
  const first = cursor.takeBreak();
  if (cursor.isAtDocumentMark()) return { crossed: true };
  let breaks = "";
  for (;;) {
    if (cursor.peek() === " ") cursor.forward();
    else if (endsLine(cursor.peek())) {
      breaks += cursor.takeBreak();
      if (cursor.isAtDocumentMark()) return { crossed: true };
    } else return { text: folded(first, breaks), crossed: true };
  }
}

/** What a plain text may start with. */
export function startsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const letter = cursor.peek();
  if (!isSpaceOrEnd(letter) && !"-?:,[]{}#&*!|>'\"%@`".includes(letter)) return true;
  return !isSpaceOrEnd(cursor.peek(1)) && (letter === "-" || (!inFlow && (letter === "?" || letter === ":")));
}

/** For a letter that nothing starts with. */
export function strangerProblem(cursor: Cursor): Error {
  const letter = cursor.peek();
  if (letter === "\t") {
    return cursor.refuse("TAB", "A tab stands between the parts of a line, or before them. PyYAML takes spaces only");
  }
  const message = `${nameOf(letter)} cannot start a text. Put quotes around the text that it belongs to`;
  return cursor.refuse("UNEXPECTED_CHARACTER", message);
}
