import type { TextSpan } from "../document/diagnostic.js";
import { UNKNOWN_MARK } from "../hydra/value.js";
import { lineEnd, type NestedOpening, skipNested } from "./skipNested.js";
import type { ParameterOperator, Segment, Word } from "./syntax.js";
import type { Quoting } from "./tracedText.js";

/** Deeper `${a:-${b:-…}}` is not followed. */
const MAX_DEPTH = 24;

const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y;
const PLAIN_NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;
const SUBSCRIPT = /\[([^\]\n]{0,200})\]/y;
const OPERATOR = /:?[-=?+]/y;
/** Starts of expansions whose result is not computed: substring, trimming, replacing, case, transformation. */
const OTHER_OPERATOR = /[:#%/^,@]/y;

/**
 * Reads one word of a command at `start`, up to a blank or an operator of the shell outside quotes. Unclosed quotes
 * run to the end of the text, as they do in bash. Never throws; every character is visited a bounded number of times.
 */
export function readWord(text: string, start: number): Word {
  const reader = new WordReader(text, start);
  reader.readUnquoted(() => false, 0);
  return { segments: reader.segments, start, end: reader.at };
}

/** The body of a here-document as one word: expanded as in double quotes, but quotes stand for themselves. */
export function readHereText(text: string, { start, end }: TextSpan, isLiteral: boolean): Word {
  const body = text.slice(0, end);
  const reader = new WordReader(body, start);
  if (!isLiteral) reader.readHereLines();
  const written = { kind: "text", text: body.slice(start), start, end, quoting: "single" } as const;
  return { segments: isLiteral ? [written] : reader.segments, start, end };
}

/** Does a word end before this character? */
export function endsWord(character: string | undefined): boolean {
  return character === undefined || " \t\n|&;()<>".includes(character);
}

class WordReader {
  segments: Segment[] = [];

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  /** Reads until a word ends, or until `stops` says so (then blanks are part of the text). */
  readUnquoted(stops: (character: string) => boolean, depth: number): void {
    const inOperand = depth > 0;
    for (let c = this.text[this.at]; c !== undefined; c = this.text[this.at]) {
      if (stops(c) || (!inOperand && endsWord(c) && !this.isSubstitutionOfProcess(c))) return;
      if (c === "\\") this.readEscape();
      else if (c === "'") this.readSingleQuotes();
      else if (c === '"') this.readDoubleQuotes(depth);
      else if (c === "$" && this.text[this.at + 1] === "'") this.readAnsiQuotes();
      else if (c === "$" && this.text[this.at + 1] === '"') this.at++;
      else if (c === "$") this.readDollar(false, depth);
      else if (c === "`") this.pushUnknown("g", 1, false);
      else if (this.isSubstitutionOfProcess(c)) this.pushUnknown("p", 2, false);
      else
        this.readText(
          "none",
          (other) => stops(other) || "\\'\"$`<>".includes(other) || (!inOperand && endsWord(other)),
        );
    }
  }

  private isSubstitutionOfProcess(character: string): boolean {
    return (character === "<" || character === ">") && this.text[this.at + 1] === "(";
  }

  private push(text: string, start: number, end: number, quoting: Quoting): void {
    if (text !== "") this.segments.push({ kind: "text", text, start, end, quoting });
  }

  private pushQuote(character: string): void {
    const start = this.at;
    this.at += character.length;
    this.segments.push({ kind: "quote", character, start, end: this.at });
  }

  /** At least one character, then on to the first for which `stops`. */
  private readText(quoting: Quoting, stops: (character: string) => boolean): void {
    const start = this.at;
    this.at++;
    while (this.at < this.text.length && !stops(this.text[this.at] ?? "")) this.at++;
    this.push(this.text.slice(start, this.at), start, this.at, quoting);
  }

  private readEscape(): void {
    const next = this.text[this.at + 1];
    if (next === UNKNOWN_MARK) this.readUnknownEscape(false);
    else this.readKnownEscape(next);
  }

  /**
   * A backslash before what only a run can tell, in a text that is read a second time: where that is empty, the character behind it is
   * escaped. A blank belongs to the word then; behind a quote or an expansion nothing of the line is known.
   */
  private readUnknownEscape(quoted: boolean): void {
    const start = this.at;
    this.at += 2;
    while (this.text[this.at] === UNKNOWN_MARK) this.at++;
    const behind = this.text[this.at] ?? "";
    if (/["'$`\\]/.test(behind)) this.at = lineEnd(this.text, this.at);
    else if (!quoted && /[ \t]/.test(behind)) this.at++;
    this.segments.push({ kind: "unknown", quoted: true, start, end: this.at });
  }

  private readKnownEscape(next: string | undefined): void {
    if (next === undefined) this.push("\\", this.at, this.at + 1, "none");
    else if (next !== "\n") this.push(next, this.at, this.at + 2, "escaped");
    this.at = Math.min(this.at + 2, this.text.length);
  }

  private readSingleQuotes(): void {
    this.pushQuote("'");
    const close = this.text.indexOf("'", this.at);
    const end = close < 0 ? this.text.length : close;
    this.push(this.text.slice(this.at, end), this.at, end, "single");
    this.at = end;
    if (close >= 0) this.pushQuote("'");
  }

  private readDoubleQuotes(depth: number): void {
    this.pushQuote('"');
    this.readQuotedText((character) => character === '"', depth);
    if (this.at < this.text.length) this.pushQuote('"');
  }

  /** Up to the end of the text; quotes are letters. */
  readHereLines(): void {
    for (let c = this.text[this.at]; c !== undefined; c = this.text[this.at]) {
      if (c === "\\" && this.text[this.at + 1] === '"') this.readText("double", (other) => "\\$`".includes(other));
      else if (c === "\\") this.readQuotedEscape();
      else if (c === "$") this.readDollar(true, 0);
      else if (c === "`") this.pushUnknown("g", 1, true);
      else this.readText("double", (other) => "\\$`".includes(other));
    }
  }

  /** The inside of double quotes, up to a character for which `stops`. */
  private readQuotedText(stops: (character: string) => boolean, depth: number): void {
    for (let c = this.text[this.at]; c !== undefined; c = this.text[this.at]) {
      if (stops(c)) return;
      if (c === "\\") this.readQuotedEscape();
      else if (c === "$") this.readDollar(true, depth);
      else if (c === "`") this.pushUnknown("g", 1, true);
      else if (c === '"') this.pushQuote('"');
      else this.readText("double", (other) => stops(other) || '\\$`"'.includes(other));
    }
  }

  private readQuotedEscape(): void {
    const next = this.text[this.at + 1];
    if (next === UNKNOWN_MARK) {
      this.readUnknownEscape(true);
    } else if (next === "\n") {
      this.at += 2;
    } else if (next !== undefined && '$`"\\'.includes(next)) {
      this.push(next, this.at, this.at + 2, "double");
      this.at += 2;
    } else {
      this.push("\\", this.at, this.at + 1, "double");
      this.at++;
    }
  }

  private readAnsiQuotes(): void {
    this.pushQuote("$'");
    while (this.at < this.text.length && this.text[this.at] !== "'") {
      if (this.text[this.at] === "\\") this.readAnsiEscape();
      else this.readText("ansi", (other) => other === "\\" || other === "'");
    }
    if (this.at < this.text.length) this.pushQuote("'");
  }

  private readAnsiEscape(): void {
    ANSI_ESCAPE.lastIndex = this.at;
    const match = ANSI_ESCAPE.exec(this.text);
    const start = this.at;
    if (match === null) {
      this.at++;
      this.push("\\", start, this.at, "ansi");
      return;
    }
    this.at = ANSI_ESCAPE.lastIndex;
    this.push(ansiCharacter(match), start, this.at, "ansi");
  }

  private pushUnknown(mode: "p" | "g", opening: number, quoted: boolean): void {
    this.segments.push(this.skipUnknown(this.at, mode, opening, quoted));
  }

  private skipUnknown(start: number, mode: NestedOpening, opening: number, quoted: boolean): Segment {
    this.at = skipNested(this.text, start + opening, mode, quoted);
    const place = { kind: "unknown", quoted, start, end: this.at } as const;
    if (mode !== "p" && mode !== "g") return place;
    const isClosed = this.text[this.at - 1] === (mode === "p" ? ")" : "`");
    const span = { start: start + opening, end: isClosed ? Math.max(start + opening, this.at - 1) : this.at };
    const text = this.text.slice(span.start, span.end);
    const escapable = quoted ? '$`\\"' : "$`\\";
    return { ...place, commands: { text, span, ...(mode === "g" && { escapable }) } };
  }

  private readDollar(quoted: boolean, depth: number): void {
    const start = this.at;
    const segment = this.readExpansion(quoted, depth);
    if (segment !== undefined) {
      this.segments.push(segment);
      return;
    }
    this.at = start + 1;
    this.push("$", start, this.at, quoted ? "double" : "none");
  }

  /** Undefined when the dollar sign at `at` stands for itself. */
  private readExpansion(quoted: boolean, depth: number): Segment | undefined {
    const start = this.at;
    if (this.text[start + 1] === "{") return this.readBraced(quoted, depth);
    if (this.text.startsWith("((", start + 1)) return this.skipUnknown(start, "a", 3, quoted);
    if (this.text[start + 1] === "[") return this.skipUnknown(start, "k", 2, quoted);
    if (this.text[start + 1] === "(") return this.skipUnknown(start, "p", 2, quoted);
    const name = this.match(PLAIN_NAME, start + 1);
    if (name === undefined) return undefined;
    this.at = start + 1 + name.length;
    return { kind: "parameter", name, operand: [], braced: false, quoted, start, end: this.at };
  }

  /** `${…}`: `at` stands on the dollar sign. */
  private readBraced(quoted: boolean, depth: number): Segment {
    const start = this.at;
    const first = this.text[start + 2];
    const measures = (first === "#" || first === "!") && this.text[start + 3] !== "}";
    if (measures || depth >= MAX_DEPTH) return this.skipUnknown(start, "b", 2, quoted);
    const name = this.match(NAME, start + 2);
    if (name === undefined) return this.skipBad(start, quoted);
    const subscript = this.match(SUBSCRIPT, start + 2 + name.length);
    const behind = start + 2 + name.length + (subscript?.length ?? 0);
    const base = subscript === undefined ? { name } : { name, subscript: subscript.slice(1, -1) };
    if (this.text[behind] === "}") {
      this.at = behind + 1;
      return { kind: "parameter", ...base, operand: [], braced: true, quoted, start, end: this.at };
    }
    const operator = this.match(OPERATOR, behind);
    if (operator === undefined) {
      if (this.match(OTHER_OPERATOR, behind) === undefined) return this.skipBad(start, quoted);
      return this.skipUnknown(start, "b", 2, quoted);
    }
    this.at = behind + operator.length;
    const operand = this.readOperand(quoted, depth + 1);
    if (this.text[this.at] === "}") this.at++;
    const asOperator = operator as ParameterOperator;
    return { kind: "parameter", ...base, operator: asOperator, operand, braced: true, quoted, start, end: this.at };
  }

  private readOperand(quoted: boolean, depth: number): Segment[] {
    const outer = this.segments;
    this.segments = [];
    if (quoted) this.readQuotedText((character) => character === "}", depth);
    else this.readUnquoted((character) => character === "}", depth);
    const operand = this.segments;
    this.segments = outer;
    return operand;
  }

  private skipBad(start: number, quoted: boolean): Segment {
    this.at = skipNested(this.text, start + 2, "b", quoted);
    return { kind: "bad", start, end: this.at };
  }

  private match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0];
  }
}

const ANSI_ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/y;
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

function ansiCharacter(match: RegExpExecArray): string {
  const [whole, byte, short, long, octal, control, letter] = match;
  const hex = byte ?? short ?? long;
  if (hex !== undefined) return fromCodePoint(Number.parseInt(hex, 16));
  if (octal !== undefined) return fromCodePoint(Number.parseInt(octal, 8) & 0xff);
  if (control !== undefined) return fromCodePoint(control.charCodeAt(0) & 0x1f);
  return ANSI_LETTERS[letter ?? ""] ?? whole;
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
