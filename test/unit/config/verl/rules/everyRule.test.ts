import { describe, expect, it } from "vitest";
import { ruleGroups } from "../../../../../src/core/config/allRules.js";
import { applyEdits, examplePath } from "../../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../../src/core/config/check.js";
import type { RuleFacts } from "../../../../../src/core/config/rules/rule.js";

/** How often a rule speaks about a text; `undefined` when the file is none of ours. */
function findings({ code, example }: RuleFacts, text: string): number | undefined {
  const checked = checkDocument(example.path ?? examplePath, text, example.options);
  return checked?.diagnostics.filter((found) => found.code === code).length;
}

/** The example put right: by its own fixes one after the other, or as the rule says. */
function rightText(rule: RuleFacts): string {
  const { code, example } = rule;
  if (example.right !== undefined) return example.right;
  let text = example.text;
  for (let round = 0; round < 5; round++) {
    const checked = checkDocument(example.path ?? examplePath, text, example.options);
    const fix = checked?.diagnostics.find((found) => found.code === code)?.fixes[0];
    if (fix === undefined) break;
    text = applyEdits(text, fix);
  }
  return text;
}

const rules = ruleGroups.flatMap(({ rules }) => rules.map((rule) => [rule.code, rule] as const));

describe("every rule", () => {
  it.each(rules)("%s speaks about its wrong file and is silent about the right one", (_code, rule) => {
    const right = rightText(rule);
    expect(right).not.toBe(rule.example.text);
    expect(findings(rule, rule.example.text)).toBeGreaterThan(0);
    expect(findings(rule, right)).toBe(0);
  });
});
