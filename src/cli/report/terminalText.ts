import { shownWord } from "../../core/base/shownWord.js";
import { visibleLine, visibleLines } from "../../core/base/visibleText.js";

/**
 * A text with names from files, made safe for a terminal and for the log of a CI system: nothing unseen is left but line feeds and
 * tabulators, and nothing reads as a command of the CI system.
 */
export function terminalText(text: string): string {
  return withoutCommands(visibleLines(text));
}

/**
 * GitHub runs lines that begin with `::` after blanks, and `##[` anywhere; Azure Pipelines `##vso[` and `##[`, TeamCity `##teamcity[`.
 * Their first character stands escaped, as JSON does it.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*)::/gm, "$1\\u003a:").replace(/##(?=(?:vso|teamcity)?\[)/gi, "\\u0023#");
}

/** Lines of a report: each stays one line, whatever the names in it. */
export function linesOfText(lines: readonly string[]): string {
  return lines.map(visibleLine).join("\n");
}

const MOST_WORD = 120;

/** A word of the command line as a message repeats it: whoever typed it knows how it goes on. */
export function shortWord(word: string): string {
  return shownWord(word, MOST_WORD);
}
