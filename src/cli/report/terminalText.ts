// C0 without line feed and tabulator, DEL and C1, and what changes the direction of text.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text with names from files, made safe for a terminal: control characters stand as `\u001b`, line feeds and tabulators stay. */
export function terminalText(text: string): string {
  return text.replace(unsafe, (char) =>
    char === "\n" || char === "\t" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const MOST_WORD = 120;

/** A word of the command line as a message repeats it: whoever typed it knows how it goes on. */
export function shortWord(word: string): string {
  return word.length <= MOST_WORD ? word : `${word.slice(0, MOST_WORD)}…`;
}

/** A message that may repeat a word of any length, cut in the middle: what is wrong stands around the word. */
export function shortMessage(message: string): string {
  return message.length <= 4 * MOST_WORD ? message : `${message.slice(0, MOST_WORD)}…${message.slice(-MOST_WORD)}`;
}
