/**
 * Characters that a reader does not see or that move what he sees: control characters, line and paragraph separators, zero-width and
 * formatting characters such as those of bidirectional text, fillers.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\uffa0]|\u034f|\u115f|\u1160|\u17b4|\u17b5/gu;

/** What comes from a file, as part of one line: everything unseen stands as `\u000a`, line feeds and tabulators included. */
export function visibleLine(text: string): string {
  return text.replace(unseen, escaped);
}

/** The same for a text of several lines of our own: its line feeds and tabulators stay. */
export function visibleLines(text: string): string {
  return text.replace(unseen, (char) => (char === "\n" || char === "\t" ? char : escaped(char)));
}

/** In UTF-16 units, as JSON writes them: within a string of JSON the value stays the same. */
function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );
}
