/*
 * What a line of YAML is. PyYAML ends one at a line feed, a carriage return (one break together with a line feed behind it), U+0085,
 * U+2028 and U+2029, in comments and quoted texts as well. Editors and shells do not know the last three: what is shown to
 * people counts lines as editors do (`position.ts`); what changes a YAML text asks here.
 */

/** True for a letter that ends a line of YAML. */
export function endsLine(letter: string): boolean {
  return letter === "\n" || letter === "\r" || letter === "\x85" || letter === "\u2028" || letter === "\u2029";
}

/** One line break. */
export const lineBreakPattern = /\r\n|[\n\r\x85\u2028\u2029]/;

/** Where the line of `offset` starts. */
export function lineStartAt(text: string, offset: number): number {
  let start = Math.min(Math.max(0, offset), text.length);
  while (start > 0 && !endsLineAt(text, start - 1)) start--;
  return start;
}

/** Where the line of `offset` ends: at its line break, or at the end of the text. */
export function lineEndAt(text: string, offset: number): number {
  let end = Math.max(0, offset);
  while (end < text.length && !endsLine(text[end] ?? "")) end++;
  return end;
}

/** Behind the line break that ends the line of `offset`; the end of the text for the last line. */
export function nextLineAt(text: string, offset: number): number {
  const end = lineEndAt(text, offset);
  return Math.min(text.length, end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1));
}

/** The lines without their breaks; behind a break at the end of the text stands an empty one. */
export function linesOfText(text: string): readonly string[] {
  return text.split(lineBreakPattern);
}

/** True when the text holds more than one line. */
export function hasLineBreak(text: string): boolean {
  return lineBreakPattern.test(text);
}

/** The carriage return of a pair ends nothing by itself. */
function endsLineAt(text: string, at: number): boolean {
  const letter = text[at] ?? "";
  return endsLine(letter) && !(letter === "\r" && text[at + 1] === "\n");
}

/** The text with line feeds in place of lone carriage returns, as editors count lines too: every offset stays the same. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** True for a text of several lines that end with carriage returns alone. */
export function endsLinesWithReturns(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

/** New text for such a file. */
export function withReturns(text: string): string {
  return text.replace(/\r?\n/g, "\r");
}
