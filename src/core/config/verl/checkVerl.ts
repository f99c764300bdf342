import type { Diagnostic } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { yamlCarrier } from "../rules/carrier.js";
import { duplicateKeys } from "../rules/duplicateKey.js";
import { diagnosticOf, type RuleOptions, runRules } from "../rules/rule.js";
import { syntaxDiagnostics } from "../rules/yamlSyntax.js";
import { batchFindings, batchSizes } from "./rules/batchSizes.js";
import { blockRules, fieldRules } from "./rules/registry.js";
import { patternsOf } from "./rules/unquotedPattern.js";
import type { VerlFile } from "./verlFile.js";

/** Runs every rule on a recognised YAML file of verl; generated reference files have no findings. */
export function checkVerl({ path, document, kind }: VerlFile, options: RuleOptions): Diagnostic[] {
  if (kind.generated) return [];
  const explained = kind.blocks.flatMap((block) => patternsOf({ document, block })).map((pattern) => pattern.span);
  const file = { path, document, carrier: yamlCarrier, kind, options };
  return inTextOrder([
    ...syntaxDiagnostics(document, explained),
    ...duplicateKeys(path, document),
    ...kind.blocks.flatMap((block) => runRules(blockRules, { ...file, block })),
    ...batchFindings(document, kind, false).map((finding) => diagnosticOf(batchSizes.code, finding)),
    ...kind.optimizers.flatMap((block) => runRules(fieldRules, { ...file, block })),
  ]);
}
