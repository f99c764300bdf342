/**
 * A text cut into lines. Where every line ends with CRLF, the carriage return is part of the break; otherwise it stays in its
 * line, so that mixed texts come out as they went in. So does U+2028 or U+2029 inside of a value, at the end of its line; before
 * comments and keys the caller has put line feeds (`withPlainBreaks`).
 */
export class TextLines {
  readonly lines: readonly string[];
  readonly lineBreak: "\n" | "\r\n";
  readonly #starts: readonly number[];
  readonly #endsWithBreak: boolean;

  constructor(text: string) {
    const cut = text.split(/\n|(?<=[\u2028\u2029])/);
    const ended = cut.slice(0, -1);
    const fed = ended.filter((line) => !keepsBreak(line));
    const allCarry = fed.length > 0 && fed.every((line) => line.endsWith("\r"));
    this.lineBreak = allCarry ? "\r\n" : "\n";
    const starts: number[] = [];
    let start = 0;
    for (const line of cut) {
      starts.push(start);
      start += line.length + (keepsBreak(line) ? 0 : 1);
    }
    this.#endsWithBreak = cut.at(-1) === "";
    const kept = this.#endsWithBreak ? ended : cut;
    this.lines = allCarry ? kept.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : kept;
    this.#starts = this.#endsWithBreak ? starts.slice(0, -1) : starts;
  }

  /** 0-based number of the line that holds an offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** The lines of another text, ended as this one ends its lines. */
  join(lines: readonly string[]): string {
    if (lines.length === 0) return "";
    const text = lines.map((line) => (keepsBreak(line) ? line : line + this.lineBreak)).join("");
    const isOpen = !this.#endsWithBreak && !keepsBreak(lines.at(-1) ?? "");
    return isOpen ? text.slice(0, -this.lineBreak.length) : text;
  }
}

function keepsBreak(line: string): boolean {
  return line.endsWith("\u2028") || line.endsWith("\u2029");
}

/** True for lines that hold nothing but blank space. */
export function isBlankLine(line: string): boolean {
  return /^\s*$/.test(line);
}

/** True for lines that hold nothing but a comment. */
export function isCommentLine(line: string): boolean {
  return /^\s*#/.test(line);
}

/** Blanks before the first other character. */
export function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

/** Moves a line to the right or, as far as it has blanks, to the left. Blank lines stay. */
export function shiftLine(line: string, columns: number): string {
  if (columns === 0 || isBlankLine(line)) return line;
  return columns > 0 ? " ".repeat(columns) + line : line.slice(Math.min(-columns, indentOf(line)));
}
