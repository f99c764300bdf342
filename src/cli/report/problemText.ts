import type { Problem } from "../../core/base/outcome.js";
import { describeProblem } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";

/** Longer ones are laid out over lines of at most this many characters. */
const WIDTH = 120;
const MOST_IN_ONE_LINE = 2 * WIDTH;

/** A problem for a terminal: one line, or, where it says much, a paragraph each for message, cause and next step. No line feed at the end. */
export function problemText(problem: Problem): string {
  const line = visibleLine(describeProblem(problem));
  if (line.length <= MOST_IN_ONE_LINE) return line;
  const { code, message, cause, nextStep } = problem;
  const below = [cause, nextStep].filter((text) => text !== undefined && text !== "");
  return [
    ...wrapped(visibleLine(`${code}: ${message}`), ""),
    ...below.flatMap((text) => wrapped(visibleLine(text ?? ""), "  ")),
  ].join("\n");
}

/** Broken at blanks only: paths stay whole, so that they can be copied. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.length > indent.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
