import { lineEndAt } from "../yaml/lineBreaks.js";
import type { TextSpan } from "./diagnostic.js";

/** One entry of a flow list as it stands in the text, blank space around it left out. */
export interface RawEntry {
  readonly span: TextSpan;
  readonly text: string;
  readonly quoted: boolean;
}

const maxEntries = 10_000;

/**
 * Splits a flow list (`[a, "b", c.{*}]`) at its commas without parsing YAML, so that entries which YAML refuses can be
 * quoted. `start` is the offset of the opening bracket. `undefined` when no list starts there or it is never closed.
 */
export function readRawList(text: string, start: number): { entries: readonly RawEntry[]; end: number } | undefined {
  return text[start] === "[" ? new RawListScan(text, start + 1).run() : undefined;
}

class RawListScan {
  readonly #entries: RawEntry[] = [];
  #entryStart: number;
  #entryEmpty = true;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {
    this.#entryStart = start;
  }

  run(): { entries: readonly RawEntry[]; end: number } | undefined {
    let index = this.start;
    while (index < this.text.length && this.#entries.length < maxEntries) {
      const skipped = this.#skip(index);
      if (skipped !== undefined) {
        index = skipped;
        continue;
      }
      const letter = this.text[index] ?? "";
      if (this.#depth === 0 && (letter === "," || letter === "]")) {
        this.#finishEntry(index);
        if (letter === "]") return { entries: this.#entries, end: index + 1 };
      } else {
        this.#count(letter);
      }
      index++;
    }
    return undefined;
  }

  /** Where to go on behind a quoted text or a comment that starts at `index`. */
  #skip(index: number): number | undefined {
    const letter = this.text[index];
    if (this.#entryEmpty && (letter === '"' || letter === "'")) {
      this.#entryEmpty = false;
      return endOfQuoted(this.text, index);
    }
    if (letter !== "#" || !/\s/.test(this.text[index - 1] ?? "")) return undefined;
    const end = lineEndAt(this.text, index);
    if (this.#entryEmpty) this.#entryStart = end;
    return end;
  }

  #count(letter: string): void {
    if (letter === "[" || letter === "{") this.#depth++;
    else if (letter === "]" || letter === "}") this.#depth = Math.max(0, this.#depth - 1);
    if (this.#entryEmpty && !/\s/.test(letter)) this.#entryEmpty = false;
  }

  #finishEntry(end: number): void {
    const entry = rawEntry(this.text, this.#entryStart, end);
    if (entry !== undefined) this.#entries.push(entry);
    this.#entryStart = end + 1;
    this.#entryEmpty = true;
  }
}

/** The value that a raw entry was meant to have: its text without quotes. */
export function intendedText(entry: RawEntry): string {
  if (!entry.quoted) return entry.text;
  const inner = entry.text.slice(1, -1);
  if (entry.text.startsWith("'")) return inner.replaceAll("''", "'");
  try {
    const value: unknown = JSON.parse(entry.text);
    return typeof value === "string" ? value : inner;
  } catch {
    return inner;
  }
}

/** A string as a double-quoted YAML scalar; every JSON string is one. */
export function quoteText(text: string): string {
  return JSON.stringify(text);
}

function rawEntry(text: string, from: number, to: number): RawEntry | undefined {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text[start] ?? "")) start++;
  while (end > start && /\s/.test(text[end - 1] ?? "")) end--;
  if (start === end) return undefined;
  const content = text.slice(start, end);
  return { span: { start, end }, text: content, quoted: /^(?:"[\s\S]*"|'[\s\S]*')$/.test(content) };
}

function endOfQuoted(text: string, open: number): number {
  const quote = text[open];
  for (let index = open + 1; index < text.length; index++) {
    if (quote === '"' && text[index] === "\\") index++;
    else if (text[index] === quote && text[index + 1] === quote && quote === "'") index++;
    else if (text[index] === quote) return index + 1;
  }
  return text.length;
}
