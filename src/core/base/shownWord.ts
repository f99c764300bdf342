const MOST_SHOWN = 200;

/** A word of a file as a message repeats it: whoever wrote it knows how it goes on. */
export function shownWord(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}
