import { describe, expect, it } from "vitest";
import { trainingRules } from "../../../../../src/core/config/veomni/rules/registry.js";
import { applyFix } from "../../checkedText.js";
import { checkTrainingText } from "../../ofText.js";
import { trainingFindings } from "../checkedTraining.js";
import { recordedFields } from "../recordedFields.js";

describe("the rules", () => {
  it("have codes of their own, in kebab case", () => {
    const codes = trainingRules.map((rule) => rule.code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(code))).toEqual([]);
  });

  it.each(recordedFields.crossField.map((each) => [each.id, each.severity]))("cover %s as %s", (id, severity) => {
    const rule = trainingRules.find((each) => each.code === id);
    expect(rule?.severities).toContain(severity);
  });

  it.each(trainingRules.map((rule) => [rule.code, rule] as const))("%s finds its example", (code, rule) => {
    const found = trainingFindings(rule.example.text).filter((finding) => finding.code === code);
    expect(found.length).toBeGreaterThan(0);
    for (const finding of found) expect(rule.severities).toContain(finding.severity);
    expect(rule.explanation.length).toBeGreaterThan(30);
  });

  it.each(trainingRules.map((rule) => [rule.code, rule] as const))("%s: each fix helps", (code, rule) => {
    const before = trainingFindings(rule.example.text).filter((finding) => finding.code === code);
    for (const fix of before.flatMap((finding) => finding.fixes)) {
      const text = applyFix(rule.example.text, fix);
      expect(text).not.toBe(rule.example.text);
      const after = checkTrainingText("x.yaml", text);
      const syntax = after?.diagnostics.filter(
        (finding) => finding.code === "yaml-syntax" && code !== "unquoted-pattern",
      );
      expect([fix.title, syntax]).toEqual([fix.title, []]);
      const left = after?.diagnostics.filter((finding) => finding.code === code) ?? [];
      expect([fix.title, left.length < before.length || left[0]?.message !== before[0]?.message]).toEqual([
        fix.title,
        true,
      ]);
    }
  });
});
