const MOST_SHOWN = 200;
const MOST_SENTENCES = 1_200;

/** A word of a file as a message repeats it, at most `most` characters and a mark: whoever wrote it knows how it goes on. */
export function shownWord(text: string, most = MOST_SHOWN): string {
  if (text.length <= most) return text;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return `${text.slice(0, isInsidePair ? most - 1 : most)}…`;
}

/** A whole message that repeats words of a file: each of them cut, and the message where there are too many. */
export function shownSentences(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  return shownWord(
    text.replace(/\S{201,}/g, (word) => shownWord(word)),
    MOST_SENTENCES,
  );
}
