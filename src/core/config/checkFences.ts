import type { Diagnostic, TextSpan } from "./document/diagnostic.js";
import type { YamlFence } from "./shell/fences.js";

/** Rules on what a file leaves out: documentation shows a part of it. */
const rulesOnAbsence: ReadonlySet<string> = new Set(["missing-key"]);

/**
 * The findings of a fenced block at their places in the Markdown text. What stands for a value of the reader's is not judged, nor what
 * an excerpt leaves out. Fixes stay inside their block.
 */
export function findingsOfFence(fence: YamlFence, found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found
    .filter(({ code, span }) => !rulesOnAbsence.has(code) && !fence.holes.some((hole) => overlaps(hole, span)))
    .map((diagnostic) => placed(diagnostic, fence));
}

function overlaps(left: TextSpan, right: TextSpan): boolean {
  return left.start < right.end && right.start < left.end;
}

function placed(diagnostic: Diagnostic, fence: YamlFence): Diagnostic {
  const fixes = diagnostic.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map(({ span, newText }) => ({ span: moved(span, fence.start), newText })),
  }));
  const kept = fence.isQuoted
    ? fixes.filter(({ edits }) => edits.every(({ newText }) => !newText.includes("\n")))
    : fixes;
  return { ...diagnostic, span: moved(diagnostic.span, fence.start), fixes: kept };
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by };
}
