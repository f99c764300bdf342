// C0 without the line feed, DEL and C1, and what changes the direction of text.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text with names from files, made safe for a terminal: control characters stand as `\u001b`, line feeds stay. */
export function terminalText(text: string): string {
  return text.replace(unsafe, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
