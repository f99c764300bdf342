import { endsLine } from "./lineBreaks.js";

/** What `peek` gives behind the end of the text; no text holds it, as the reader refuses it. */
export const end = "\0";

/** Why a text does not load, and where. Thrown inside this folder only; `composeYaml` makes it a value. */
export class YamlRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/**
 * A place in a text that PyYAML's scanner could stand at. Offsets are UTF-16 units; `column` and `index` count characters as
 * Python does, and a byte order mark takes no column.
 */
export class Cursor {
  at = 0;
  line = 0;
  column = 0;
  index = 0;

  constructor(readonly text: string) {}

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? end;
  }

  forward(units = 1): void {
    for (let left = units; left > 0; left--) this.#step();
  }

  /** The next units, and the cursor behind them. */
  take(units: number): string {
    const taken = this.text.slice(this.at, this.at + units);
    this.forward(units);
    return taken;
  }

  skipBlanks(): void {
    while (this.peek() === " ") this.#step();
  }

  /** A comment up to its line break, if one starts here. */
  skipComment(): void {
    if (this.peek() !== "#") return;
    while (!isBreakOrEnd(this.peek())) this.#step();
  }

  /**
   * One line break: `\n` for all that end a line but U+2028 and U+2029, which stay themselves in a value. Empty where none is.
   */
  takeBreak(): string {
    const next = this.peek();
    if (!endsLine(next)) return "";
    this.forward(next === "\r" && this.peek(1) === "\n" ? 2 : 1);
    return next === "\u2028" || next === "\u2029" ? next : "\n";
  }

  /** `---` or `...` with nothing but blank space behind it. */
  isAtDocumentMark(mark?: string): boolean {
    const next = this.text.slice(this.at, this.at + 3);
    if (mark === undefined ? next !== "---" && next !== "..." : next !== mark) return false;
    return isSpaceOrEnd(this.peek(3));
  }

  refuse(code: string, message: string, from = this.at): YamlRefusal {
    const start = Math.min(from, Math.max(0, this.text.length - 1));
    const width = (this.text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    return new YamlRefusal(code, message, start, Math.min(this.text.length, start + width));
  }

  #step(): void {
    const unit = this.text.charCodeAt(this.at++);
    if (unit >= 0xdc00 && unit <= 0xdfff) return;
    this.index++;
    const isOrdinary = unit > 0x0d && unit < 0x85;
    if (!isOrdinary && endsLine(String.fromCharCode(unit)) && !(unit === 0x0d && this.text[this.at] === "\n")) {
      this.line++;
      this.column = 0;
    } else if (unit !== 0xfeff) this.column++;
  }
}

/** True for what ends a line, and for the end of the text. */
export function isBreakOrEnd(letter: string): boolean {
  return letter === end || endsLine(letter);
}

/** The same, or a space. */
export function isBlankOrEnd(letter: string): boolean {
  return letter === " " || isBreakOrEnd(letter);
}

/** The same, or a tab. */
export function isSpaceOrEnd(letter: string): boolean {
  return letter === "\t" || isBlankOrEnd(letter);
}

/** Letters of names: of anchors, tag handles and directives. */
export function isNameLetter(letter: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(letter);
}

/** How a letter is named in a message. */
export function nameOf(letter: string): string {
  if (letter === end) return "the end of the text";
  if (endsLine(letter)) return "the end of the line";
  return letter === "\t" ? "a tab" : `"${letter}"`;
}
