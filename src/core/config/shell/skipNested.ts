import type { TextSpan } from "../document/diagnostic.js";

/** A here-document whose body starts at the next line. */
export interface HereDocument {
  readonly delimiter: string;
  /** `<<-`: leading tabs of the lines do not count. */
  readonly stripsTabs: boolean;
  /** Nothing in the body is expanded. */
  readonly isLiteral: boolean;
  /** Without the line of the delimiter; there once the body has been stepped over. */
  body?: TextSpan;
}

/** `p` a parenthesis, `a` one of arithmetic, `k` a bracket of old arithmetic (`$[1+2]`), `b` `${`, `g` a backtick. */
export type NestedOpening = "p" | "a" | "k" | "b" | "g";
/** `d` double quotes. */
type Mode = NestedOpening | "d";

/**
 * Finds the end of `$( … )`, `$(( … ))`, `( … )`, `${ … }` or backticks without reading the commands inside; `at` stands
 * behind the opening. Returns the offset behind the closing, or the length of the text when it never closes.
 * Iterative, so nesting cannot exhaust the stack; every character is visited once.
 */
export function skipNested(text: string, at: number, opening: NestedOpening, insideQuotes = false): number {
  const modes: Mode[] = opening === "a" ? ["a", "a"] : [opening];
  const hereDocuments: HereDocument[] = [];
  let quotedBraces = insideQuotes;
  let position = at;
  while (position < text.length) {
    const mode = modes.at(-1);
    if (mode === undefined) return position;
    const character = text[position] ?? "";
    const next = text[position + 1];
    if (character === "\\") {
      position += 2;
    } else if (mode === "g") {
      if (character === "`") modes.pop();
      position++;
    } else if (character === "$" && (next === "(" || next === "{")) {
      const arithmetic = next === "(" && text[position + 2] === "(";
      if (arithmetic) modes.push("a", "a");
      else modes.push(next === "{" ? "b" : "p");
      position += arithmetic ? 3 : 2;
    } else if (character === "`") {
      modes.push("g");
      position++;
    } else if (character === '"') {
      if (mode === "d") modes.pop();
      else modes.push("d");
      position++;
    } else if (mode === "d") {
      position++;
    } else if (character === "'" && !(mode === "b" && quotedBraces)) {
      position = skipSingleQuotes(text, position);
    } else if (mode === "k" && (character === "[" || character === "]")) {
      if (character === "[") modes.push("k");
      else modes.pop();
      position++;
    } else if (character === ")" && mode !== "b") {
      modes.pop();
      position++;
    } else if (character === "(") {
      modes.push(mode === "a" ? "a" : "p");
      position++;
    } else if (character === "}" && mode === "b") {
      modes.pop();
      quotedBraces = quotedBraces && modes.length > 0;
      position++;
    } else if (mode === "p" && character === "#" && isBlank(text[position - 1])) {
      position = lineEnd(text, position);
    } else if (mode === "p" && text.startsWith("<<", position)) {
      position = readHereDocument(text, position, hereDocuments);
    } else if (character === "\n" && hereDocuments.length > 0) {
      position = skipHereDocuments(text, position + 1, hereDocuments.splice(0));
    } else {
      position++;
    }
  }
  return text.length;
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /[ \t\n;(|&]/.test(character);
}

/** Behind the closing quote, or the end of the text. `at` stands on the opening quote. */
export function skipSingleQuotes(text: string, at: number): number {
  const close = text.indexOf("'", at + 1);
  return close < 0 ? text.length : close + 1;
}

/** The offset of the next line break, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const HERE_DELIMITER = /[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|((?:\\.|[^ \t\n;&|()<>'"\\])+))/y;

/**
 * Reads `<<WORD` or `<<-WORD` at `at` into `pending` and returns the offset behind it; `<<<` is stepped over, and so is
 * an operator without a word.
 */
export function readHereDocument(text: string, at: number, pending: HereDocument[]): number {
  if (text[at + 2] === "<") return at + 3;
  const stripsTabs = text[at + 2] === "-";
  HERE_DELIMITER.lastIndex = at + (stripsTabs ? 3 : 2);
  const match = HERE_DELIMITER.exec(text);
  if (match === null) return at + 2;
  const delimiter = match[1] ?? match[2] ?? (match[3] ?? "").replaceAll("\\", "");
  pending.push({ delimiter, stripsTabs, isLiteral: match[3] === undefined || match[3].includes("\\") });
  return HERE_DELIMITER.lastIndex;
}

/** Steps over the bodies of here-documents that start at `at`; returns the start of the line behind the last one. */
export function skipHereDocuments(text: string, at: number, documents: readonly HereDocument[]): number {
  let position = at;
  for (const document of documents) {
    const { delimiter, stripsTabs } = document;
    const start = position;
    let end = start;
    while (position < text.length) {
      const next = lineEnd(text, position);
      const line = text.slice(position, next);
      position = Math.min(next + 1, text.length);
      if ((stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter) break;
      end = position;
    }
    document.body = { start, end };
  }
  return position;
}
