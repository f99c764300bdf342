import type { ConfigDocument } from "../document/configDocument.js";
import type { TextSpan } from "../document/diagnostic.js";
import { lineEndAt, lineStartAt, nextLineAt } from "../yaml/lineBreaks.js";

/**
 * True when YAML could not read something on the lines of `span`, or on the line before or after: what a key there is, or that it
 * has no value, says nothing then.
 */
export function isBrokenNearby(document: ConfigDocument, span: TextSpan): boolean {
  if (document.syntaxProblems.length === 0) return false;
  const { text } = document;
  const from = lineStartAt(text, lineStartAt(text, span.start) - 1);
  const to = lineEndAt(text, nextLineAt(text, span.end));
  return document.syntaxProblems.some((problem) => problem.span.start >= from && problem.span.start <= to);
}
