import type { Diagnostic } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { duplicateKeys } from "../rules/duplicateKey.js";
import { diagnosticOf, type RuleOptions } from "../rules/rule.js";
import { syntaxDiagnostics } from "../rules/yamlSyntax.js";
import type { BlockContext, BlockRule } from "./blockRule.js";
import { blockRules, fieldRules } from "./rules/registry.js";
import { patternsOf } from "./rules/unquotedPattern.js";
import type { VerlFile } from "./verlFile.js";

/** Runs every rule on a recognised YAML file of verl; generated reference files have no findings. */
export function checkVerl({ path, document, kind }: VerlFile, options: RuleOptions): Diagnostic[] {
  if (kind.generated) return [];
  const explained = kind.blocks.flatMap((block) => patternsOf({ document, block })).map((pattern) => pattern.span);
  return inTextOrder([
    ...syntaxDiagnostics(document, explained),
    ...duplicateKeys(path, document),
    ...kind.blocks.flatMap((block) => runRules(blockRules, { path, document, kind, block, options })),
    ...kind.optimizers.flatMap((block) => runRules(fieldRules, { path, document, kind, block, options })),
  ]);
}

/** The findings of some rules on one block. */
export function runRules(rules: readonly BlockRule[], context: BlockContext): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule.check(context).map((finding) => diagnosticOf(rule.code, finding)));
}
