import { notInStruct } from "./overrides/notInStruct.js";
import { overrideFacts } from "./overrides/overrideFacts.js";
import { moreFindingsFacts } from "./rules/moreFindings.js";
import type { RuleFacts } from "./rules/rule.js";
import { trainingRules } from "./veomni/rules/registry.js";
import { ruleFacts } from "./verl/rules/registry.js";

/** A part of the catalogue: rules of one kind of file. */
export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly RuleFacts[];
}

/** Every rule by the files that it looks at. A code can stand in two groups: the same mistake, another framework. */
export const ruleGroups: readonly RuleGroup[] = [
  { title: "verl: YAML and overrides", rules: ruleFacts },
  { title: "verl: command lines only", rules: [...overrideFacts, notInStruct] },
  { title: "VeOmni's own training YAML", rules: trainingRules },
  { title: "Any file", rules: [moreFindingsFacts] },
];

/** One entry per code; where two groups have it, with both explanations. */
export const allRuleFacts: readonly RuleFacts[] = mergeByCode(ruleGroups.flatMap((group) => group.rules));

function mergeByCode(rules: readonly RuleFacts[]): readonly RuleFacts[] {
  const merged = new Map<string, RuleFacts>();
  for (const rule of rules) {
    const present = merged.get(rule.code);
    if (present === undefined) merged.set(rule.code, rule);
    else if (present.explanation !== rule.explanation) {
      merged.set(rule.code, { ...present, explanation: `${present.explanation} ${rule.explanation}` });
    }
  }
  return [...merged.values()];
}
