import { expect } from "vitest";
import { checkDocument } from "../../../src/core/config/check.js";
import type { Diagnostic, QuickFix } from "../../../src/core/config/document/diagnostic.js";

/** A path that names no file of verl's own tree, so that only the content decides. */
const anyPath = "experiments/run.yaml";

/** What the rules find in a text that must be recognised. */
export function findingsIn(text: string, path = anyPath): readonly Diagnostic[] {
  const result = checkDocument(path, text);
  expect(result?.dialect).toBe("verl");
  return result?.diagnostics ?? [];
}

/** An engine file with the given lines below its class. */
export function engine(...lines: readonly string[]): string {
  return ["_target_: verl.workers.config.VeOmniEngineConfig", ...lines, ""].join("\n");
}

/** One line per finding: `severity code|text of its place`. */
export function summary(text: string, path = anyPath): readonly string[] {
  return findingsIn(text, path).map(
    ({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`,
  );
}

/** The same, findings of one rule only. */
export function summaryOf(code: string, text: string, path = anyPath): readonly string[] {
  return summary(text, path).filter((line) => line.includes(` ${code}|`));
}

/** The text after a fix; throws when edits overlap or leave the text. */
export function applyFix(text: string, fix: QuickFix): string {
  const edits = [...fix.edits].sort((left, right) => right.span.start - left.span.start);
  let limit = text.length;
  let result = text;
  for (const { span, newText } of edits) {
    if (span.start > span.end || span.end > limit) throw new Error(`an edit leaves the text or overlaps: ${fix.title}`);
    limit = span.start;
    result = result.slice(0, span.start) + newText + result.slice(span.end);
  }
  return result;
}

/** The fix of that title among the findings of a text. */
export function fixCalled(title: string, text: string, path = anyPath): QuickFix {
  const fixes = findingsIn(text, path).flatMap((finding) => finding.fixes);
  const fix = fixes.find((candidate) => candidate.title === title);
  if (fix === undefined) throw new Error(`no fix "${title}" among: ${fixes.map((each) => each.title).join("; ")}`);
  return fix;
}

/** The text after the fix of that title. */
export function fixed(title: string, text: string, path = anyPath): string {
  return applyFix(text, fixCalled(title, text, path));
}
