import type { TextSpan } from "../document/diagnostic.js";
import { isBlank } from "./textLine.js";

/** Where in a flow collection (`[a, {b: c}]`) an offset stands. */
export interface FlowPlace {
  readonly place: "key" | "value" | "entry";
  /** Keys of mappings and `listItem` for lists, from the outermost bracket on; for a value its own key at the end. */
  readonly inner: readonly string[];
  /** Where the token that holds the offset starts; blanks before it left out. */
  readonly tokenStart: number;
  /** The quote that the offset is inside of. */
  readonly quote?: string;
  /** Keys that the innermost mapping holds before the offset. */
  readonly siblings: readonly string[];
}

/** Stands in a path for an entry of a list. */
export const listItem = "[]";

const maxDepth = 50;

/**
 * Reads a flow collection from its opening bracket up to `offset`, as its author meant it: braces and brackets inside an
 * unquoted entry (`model.layers.{*}`) belong to the entry. `undefined` when the collection ends before the offset, when the
 * offset is in a comment, or when the nesting is too deep.
 */
export function flowPlaceAt(text: string, open: number, offset: number): FlowPlace | undefined {
  return new FlowScan(text, open, offset).run();
}

interface Level {
  readonly kind: "[" | "{";
  key: string | undefined;
  readonly siblings: string[];
}

class FlowScan {
  readonly #levels: Level[] = [];
  #tokenStart = -1;
  #inToken = 0;

  constructor(
    private readonly text: string,
    private readonly open: number,
    private readonly offset: number,
  ) {}

  run(): FlowPlace | undefined {
    let at = this.open;
    while (at < this.offset) {
      const letter = this.text[at] ?? "";
      if (this.#tokenStart < 0 && (letter === '"' || letter === "'")) {
        const end = this.#endOfQuoted(at, letter);
        if (end === undefined) return this.#place(at, letter);
        this.#tokenStart = at;
        at = end;
        continue;
      }
      if (letter === "#" && isSpace(this.text[at - 1])) {
        const lineBreak = this.text.indexOf("\n", at);
        if (lineBreak < 0 || lineBreak >= this.offset) return undefined;
        at = lineBreak;
        continue;
      }
      if (!this.#take(letter, at)) return undefined;
      at++;
    }
    return this.#place(this.#tokenStart < 0 ? this.offset : this.#tokenStart, undefined);
  }

  /** False when the scan is over: the outermost bracket closed, or too deep. */
  #take(letter: string, at: number): boolean {
    if (isSpace(letter)) return true;
    if (this.#tokenStart < 0 && (letter === "[" || letter === "{")) {
      this.#levels.push({ kind: letter, key: undefined, siblings: [] });
      return this.#levels.length <= maxDepth;
    }
    if (this.#tokenStart >= 0 && this.#bracketInToken(letter)) return true;
    if (letter === "]" || letter === "}") {
      this.#levels.pop();
      this.#tokenStart = at;
      return this.#levels.length > 0;
    }
    if (letter === ",") return this.#endItem();
    if (letter === ":" && this.#endsKey(at)) return true;
    if (this.#tokenStart < 0) this.#tokenStart = at;
    return true;
  }

  #bracketInToken(letter: string): boolean {
    if (letter === "[" || letter === "{") {
      this.#inToken++;
      return true;
    }
    if (this.#inToken === 0 || (letter !== "]" && letter !== "}")) return false;
    this.#inToken--;
    return true;
  }

  #endItem(): boolean {
    const level = this.#levels.at(-1);
    if (level !== undefined) level.key = undefined;
    this.#tokenStart = -1;
    this.#inToken = 0;
    return true;
  }

  #endsKey(at: number): boolean {
    const level = this.#levels.at(-1);
    if (level?.kind !== "{" || level.key !== undefined || this.#tokenStart < 0) return false;
    const quoted = /["']/.test(this.text[this.#tokenStart] ?? "");
    if (!quoted && !isSpace(this.text[at + 1])) return false;
    const written = this.text.slice(this.#tokenStart, at).trim();
    level.key = quoted ? written.slice(1, -1) : written;
    level.siblings.push(level.key);
    this.#tokenStart = -1;
    return true;
  }

  /** Behind the closing quote, or `undefined` when the offset is inside. */
  #endOfQuoted(open: number, quote: string): number | undefined {
    for (let at = open + 1; at < this.offset; at++) {
      if (quote === '"' && this.text[at] === "\\") at++;
      else if (this.text[at] === quote) return at + 1;
      else if (this.text[at] === "\n") return undefined;
    }
    return undefined;
  }

  #place(tokenStart: number, quote: string | undefined): FlowPlace | undefined {
    const level = this.#levels.at(-1);
    if (level === undefined) return undefined;
    const place = level.kind === "[" ? "entry" : level.key === undefined ? "key" : "value";
    const inner = this.#levels.flatMap((each, depth) => {
      const innermost = depth === this.#levels.length - 1;
      if (each.kind === "[") return innermost && place === "entry" ? [] : [listItem];
      return each.key === undefined ? [] : [each.key];
    });
    return {
      place,
      inner,
      tokenStart,
      ...(quote === undefined ? {} : { quote }),
      siblings: level.siblings.filter((key) => key !== level.key),
    };
  }
}

/** The token around an offset, from its start to the next comma, closing bracket, comment or line end. */
export function flowTokenSpan(text: string, tokenStart: number, offset: number, quote: string | undefined): TextSpan {
  const lineEnd = text.indexOf("\n", offset);
  const limit = lineEnd < 0 ? text.length : lineEnd;
  if (quote !== undefined) {
    let at = offset;
    while (at < limit && text[at] !== quote && !/[,\]\r]/.test(text[at] ?? "")) at++;
    return { start: tokenStart, end: text[at] === quote ? at + 1 : at };
  }
  let depth = bracketsIn(text.slice(tokenStart, offset));
  let at = offset;
  for (; at < limit; at++) {
    const letter = text[at] ?? "";
    if (letter === "[" || letter === "{") depth++;
    else if ((letter === "]" || letter === "}") && depth > 0) depth--;
    else if (letter === "]" || letter === "}" || letter === "," || letter === "\r") break;
    else if (letter === ":" && isSpace(text[at + 1])) break;
    else if (letter === "#" && isBlank(text[at - 1])) break;
  }
  while (at > offset && isBlank(text[at - 1])) at--;
  return { start: tokenStart, end: at };
}

function bracketsIn(token: string): number {
  let depth = 0;
  for (const letter of token) {
    if (letter === "[" || letter === "{") depth++;
    else if (letter === "]" || letter === "}") depth = Math.max(0, depth - 1);
  }
  return depth;
}

function isSpace(letter: string | undefined): boolean {
  return letter === undefined || letter === " " || letter === "\t" || letter === "\n" || letter === "\r";
}
