import type { ConfigDocument } from "../document/configDocument.js";
import type { TextSpan } from "../document/diagnostic.js";

/**
 * True when YAML could not read something on the lines of `span`, or on the line before or after: what a key there is, or that it
 * has no value, says nothing then.
 */
export function isBrokenNearby(document: ConfigDocument, span: TextSpan): boolean {
  if (document.syntaxProblems.length === 0) return false;
  const { text } = document;
  const lineStart = text.lastIndexOf("\n", span.start - 1);
  const from = lineStart <= 0 ? 0 : text.lastIndexOf("\n", lineStart - 1) + 1;
  const lineEnd = text.indexOf("\n", span.end);
  const nextEnd = lineEnd < 0 ? -1 : text.indexOf("\n", lineEnd + 1);
  const to = nextEnd < 0 ? text.length : nextEnd;
  return document.syntaxProblems.some((problem) => problem.span.start >= from && problem.span.start <= to);
}
