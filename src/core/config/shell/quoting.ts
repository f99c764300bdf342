import type { TextEdit, TextSpan } from "../document/diagnostic.js";
import type { WritableValue } from "./overrideTypes.js";
import type { ShellWord } from "./readShell.js";

/** A string in double quotes as Hydra's grammar reads it back: quotes and the backslashes before them are escaped. */
export function hydraQuoted(text: string): string {
  const escaped = text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&");
  return `"${escaped}"`;
}

/** A list of strings as Hydra's grammar reads it back. */
export function hydraList(items: readonly string[]): string {
  return `[${items.map(hydraQuoted).join(",")}]`;
}

/** The text as one word of a shell, in single quotes if it needs any. */
export function shellQuoted(text: string): string {
  if (/^[\w./:,+@%-]+$/.test(text)) return text;
  return text.includes("'") ? `"${insideDoubleQuotes(text)}"` : `'${text}'`;
}

/** The text with backslashes before what double quotes leave special. */
export function insideDoubleQuotes(text: string): string {
  return text.replace(/[\\$`"]/g, "\\$&");
}

/**
 * The edit that makes `newValue` reach the program in place of what now stands behind the character at index `equals`
 * of the word. It respects the quotes that the word is written in: unquoted, inside `"…"`, inside `'…'`.
 * Undefined when the value is put together from several places or when its quotes cannot hold the new text.
 */
export function replaceValue(word: ShellWord, equals: number, newValue: string): TextEdit | undefined {
  const place = writableValue(word, equals);
  return place === undefined ? undefined : writeValue(place, newValue);
}

/** Where the value behind the character at index `equals` can be written anew; undefined when it comes from several places. */
export function writableValue(word: ShellWord, equals: number): WritableValue | undefined {
  const span = valueSource(word, equals);
  const context = word.quoting[equals];
  if (span === undefined || context === undefined) return undefined;
  if (context === "none" || context === "escaped") return { span, quotes: "none" };
  return context === "double" || context === "single" ? { span, quotes: context } : undefined;
}

/** The edit that writes a value into its place; undefined when the quotes there cannot hold it. */
export function writeValue({ span, quotes }: WritableValue, newValue: string): TextEdit | undefined {
  if (quotes === "none") return { span, newText: shellQuoted(newValue) };
  if (quotes === "double") return { span, newText: insideDoubleQuotes(newValue) };
  return newValue.includes("'") ? undefined : { span, newText: newValue };
}

/**
 * Where the source of the value stands, quotes included. Undefined when a part of it comes from elsewhere or when it
 * does not end in the same quotes as it begins in.
 */
export function valueSource(word: ShellWord, equals: number): TextSpan | undefined {
  const start = word.ends[equals];
  const context = word.quoting[equals];
  if (start === undefined || context === undefined) return undefined;
  const last = word.text.length - 1;
  const unquoted = context === "none" || context === "escaped";
  if (!unquoted && last > equals && word.quoting[last] !== context) return undefined;
  const end = unquoted ? unquotedEnd(word, equals, start) : Math.max(start, word.ends[last] ?? start);
  return standsWithin(word, equals + 1, { start, end }) ? { start, end } : undefined;
}

/** Behind the last character or the quote that closes directly behind it. */
function unquotedEnd(word: ShellWord, equals: number, start: number): number {
  const lastEnd = Math.max(start, word.ends.at(-1) ?? start);
  let end = lastEnd;
  let quotes = 0;
  for (const { index, span } of word.removedQuotes) {
    if (index <= equals || span.start < start || span.start > end) continue;
    quotes++;
    end = Math.max(end, span.end);
  }
  // An odd number means that the last quote opens what follows the word.
  return quotes % 2 === 0 ? end : lastEnd;
}

function standsWithin(word: ShellWord, from: number, span: TextSpan): boolean {
  let before = span.start;
  for (let i = from; i < word.text.length; i++) {
    const start = word.starts[i] ?? -1;
    if (start < before || (word.ends[i] ?? span.end + 1) > span.end) return false;
    before = start;
  }
  return true;
}

/** The text that would have reached the program had the shell kept the quotes behind index `equals`. */
export function withQuotesKept(word: ShellWord, equals: number): readonly string[] {
  const quotes = word.removedQuotes.filter((quote) => quote.index > equals && quote.character !== "$'");
  if (quotes.length === 0) return [];
  const all = insertQuotes(word.text, quotes);
  // The last quote may close what began before the value: the whole override in one pair of quotes.
  return quotes.length % 2 === 0 ? [all] : [insertQuotes(word.text, quotes.slice(0, -1)), all];
}

function insertQuotes(text: string, quotes: ShellWord["removedQuotes"]): string {
  let result = "";
  let at = 0;
  for (const quote of quotes) {
    result += text.slice(at, quote.index) + quote.character;
    at = quote.index;
  }
  return result + text.slice(at);
}
