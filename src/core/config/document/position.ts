/** A place in a text: both 1-based, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds lines in one text; build it once per text. Lines end with LF, CRLF or a lone CR, as editors count them. */
export class LineIndex {
  readonly #lineStarts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const endsLine = unit === 0x0a || (unit === 0x0d && text.charCodeAt(index + 1) !== 0x0a);
      if (endsLine) starts.push(index + 1);
    }
    this.#lineStarts = starts;
    this.#length = text.length;
  }

  /** Position of a 0-based offset; offsets outside the text are moved to its nearest end. */
  positionAt(offset: number): TextPosition {
    const inside = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: inside - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

/** 1-based line and column of an offset. For many offsets in one text keep a `LineIndex` instead. */
export function positionOf(text: string, offset: number): TextPosition {
  return new LineIndex(text).positionAt(offset);
}

/** Lines of offsets in one text, which is read when the first is asked for. */
export function lazyLines(text: string): (offset: number) => number {
  let lines: LineIndex | undefined;
  return (offset) => {
    lines ??= new LineIndex(text);
    return lines.positionAt(offset).line;
  };
}
