import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Diagnostic, QuickFix } from "../../../../src/core/config/document/diagnostic.js";
import type { TrainingOptions } from "../../../../src/core/config/veomni/checkTraining.js";
import { type TrainingParts, trainingText } from "../../../../src/core/config/veomni/rules/trainingExample.js";
import { applyFix } from "../checkedText.js";
import { checkTrainingText } from "../ofText.js";

/** A training config: its text, or its lines by block. */
export type TrainingSource = string | TrainingParts;

/** A path that names no file of VeOmni's own tree, so that only the content decides. */
const anyPath = "runs/config.yaml";

/** A file of the fixtures for VeOmni's training YAML. */
export function trainingFixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../fixtures/config/veomni/${name}`, import.meta.url)), "utf8");
}

/** The text of a source. */
export function textOfSource(source: TrainingSource): string {
  return typeof source === "string" ? source : trainingText(source);
}

/** What the rules find in a config that must be recognised. */
export function trainingFindings(
  source: TrainingSource,
  path = anyPath,
  options: TrainingOptions = {},
): readonly Diagnostic[] {
  const result = checkTrainingText(path, textOfSource(source), options);
  expect(result).toBeDefined();
  return result?.diagnostics ?? [];
}

/** One line per finding: `severity code|text of its place`; of one rule only, if a code is given. */
export function trainingSummary(source: TrainingSource, code?: string, path = anyPath): readonly string[] {
  const text = textOfSource(source);
  return trainingFindings(text, path)
    .filter((finding) => code === undefined || finding.code === code)
    .map((finding) => `${finding.severity} ${finding.code}|${text.slice(finding.span.start, finding.span.end)}`);
}

/** The text after the fix of that title. */
export function trainingFixed(title: string, source: TrainingSource, path = anyPath): string {
  const text = textOfSource(source);
  const fixes = trainingFindings(text, path).flatMap((finding) => finding.fixes);
  const fix = fixes.find((candidate) => candidate.title === title);
  if (fix === undefined) throw new Error(`no fix "${title}" among: ${fixes.map((each) => each.title).join("; ")}`);
  return applyFix(text, fix);
}

/** Every fix that a rule offers in a text. */
export function fixesOfRule(source: TrainingSource, code: string): readonly QuickFix[] {
  return trainingFindings(source)
    .filter((finding) => finding.code === code)
    .flatMap((finding) => finding.fixes);
}
