import type { PatternEntry } from "../../config/assist/writtenPatterns.js";
import type { TextSpan } from "../../config/document/diagnostic.js";
import { groupMark } from "../selection/groupPattern.js";
import { editorSteps, selectModules } from "../selection/select.js";
import { NOT_TRIED } from "../selection/selectionResult.js";
import type { ModuleTree } from "../tree.js";

/** A part of a pattern list that does nothing: a whole pattern without a match, or the text behind `{*}`. */
export interface PatternMark {
  readonly span: TextSpan;
  readonly kind: "dead" | "ignored";
}

/** Patterns of these kinds add nothing, but not because they are wrong. */
const harmless: readonly string[] = ["ALREADY_SELECTED", NOT_TRIED];

/**
 * Marks what does nothing in a pattern list on this model. `text` is that of the file; marks leave the quotes out. An entry that
 * only repeats an earlier one is no dead pattern.
 */
export function patternMarks(text: string, entries: readonly PatternEntry[], tree: ModuleTree): readonly PatternMark[] {
  if (entries.length === 0) return [];
  const { patterns } = selectModules(
    tree,
    entries.map((entry) => entry.text),
    editorSteps,
  );
  return entries.flatMap((entry, at): PatternMark[] => {
    const result = patterns[at];
    if (result === undefined) return [];
    const span = withoutQuotes(text, entry.span);
    const isDead = result.matched === 0 && !result.notes.some(({ code }) => harmless.includes(code));
    if (isDead) return [{ span, kind: "dead" }];
    const ignored = ignoredPart(text, span, entry.text);
    return ignored === undefined ? [] : [{ span: ignored, kind: "ignored" }];
  });
}

function withoutQuotes(text: string, span: TextSpan): TextSpan {
  const written = text.slice(span.start, span.end);
  return /^(["'])[\s\S]*\1$/.test(written) && written.length > 1 ? { start: span.start + 1, end: span.end - 1 } : span;
}

/** Where a pattern is written with escapes, the place of its end in the text is not known, and nothing is marked. */
function ignoredPart(text: string, span: TextSpan, pattern: string): TextSpan | undefined {
  const mark = pattern.indexOf(groupMark);
  if (mark < 0 || text.slice(span.start, span.end) !== pattern) return undefined;
  const start = span.start + mark + groupMark.length;
  return start < span.end ? { start, end: span.end } : undefined;
}
