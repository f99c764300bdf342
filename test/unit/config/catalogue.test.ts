import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allRuleFacts, ruleGroups } from "../../../src/core/config/allRules.js";
import { applyEdits, examplePath, findingOf, renderRuleCatalogue } from "../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../src/core/config/check.js";

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

const rules = ruleGroups.flatMap(({ rules }) => rules.map((rule) => [rule.code, rule] as const));

describe("the rule catalogue", () => {
  it("is the one in media/rules.md; node src/dev/ruleCatalogue.mjs writes it", () => {
    const recorded = (name: string) => JSON.parse(read(`test/fixtures/config/${name}`));
    expect(read("media/rules.md")).toBe(renderRuleCatalogue(recorded("traps.json"), recorded("constraints.json")));
  });

  it("has each code once per kind of file, and each in every severity that it names", () => {
    for (const { rules } of ruleGroups) expect(new Set(rules.map((rule) => rule.code)).size).toBe(rules.length);
    for (const { code, severities, explanation } of allRuleFacts) {
      expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect([code, new Set(severities).size]).toEqual([code, severities.length]);
      expect([code, explanation.endsWith(".")]).toEqual([code, true]);
    }
  });

  it.each(rules)("%s finds something in its example, in a severity that it names", (_code, rule) => {
    const found = findingOf(rule);
    expect(found === undefined ? "nothing" : rule.severities).toContain(found?.severity);
  });

  it.each(rules)("%s is settled by its first fix", (_code, rule) => {
    const [fix] = findingOf(rule)?.fixes ?? [];
    if (fix === undefined) return;
    const { example, code } = rule;
    const count = (text: string) =>
      checkDocument(example.path ?? examplePath, text, example.options)?.diagnostics.filter(
        (diagnostic) => diagnostic.code === code,
      ).length ?? 0;
    expect(count(applyEdits(example.text, fix))).toBeLessThan(count(example.text));
  });
});
