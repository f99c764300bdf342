import type { Problem } from "../../core/base/outcome.js";
import { describeProblem } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { wrapped } from "../../core/base/wrapText.js";

/** Longer ones are laid out over lines of at most this many characters. */
const WIDTH = 120;
const INDENT = "  ";
const MOST_IN_ONE_LINE = 2 * WIDTH;

/** A problem for a terminal: one line, or, where it says much, a paragraph each for message, cause and next step. No line feed at the end. */
export function problemText(problem: Problem): string {
  const line = visibleLine(describeProblem(problem));
  if (line.length <= MOST_IN_ONE_LINE) return line;
  const { code, message, cause, nextStep } = problem;
  const below = [cause, nextStep].filter((text) => text !== undefined && text !== "");
  return [
    ...wrapped(visibleLine(`${code}: ${message}`), WIDTH),
    ...below.flatMap((text) => wrapped(visibleLine(text ?? ""), WIDTH - INDENT.length).map((line) => INDENT + line)),
  ].join("\n");
}
