import type { Diagnostic } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { overwrittenKeys } from "../rules/duplicateKey.js";
import { type RuleOptions, runRules } from "../rules/rule.js";
import { syntaxDiagnostics } from "../rules/yamlSyntax.js";
import type { LayoutId } from "./layout.js";
import { patternFindings } from "./patternFindings.js";
import { trainingRules } from "./rules/registry.js";
import { patternsOf } from "./rules/unquotedPattern.js";
import type { TrainingFile } from "./trainingFile.js";

/** What a caller may say about a file; a first-line comment in the file counts more. */
export interface TrainingOptions extends RuleOptions {
  readonly layout?: LayoutId;
}

/** Runs every rule on VeOmni's own training YAML. Diagnostics are in text order. */
export function checkTraining({ path, context: read }: TrainingFile, options: TrainingOptions = {}): Diagnostic[] {
  const context = { ...read, options };
  const { document } = context;
  const explained = patternsOf(context).map((pattern) => pattern.span);
  return inTextOrder([
    ...syntaxDiagnostics(document, explained),
    ...overwrittenKeys(path, document),
    ...patternFindings(context),
    ...runRules(trainingRules, context),
  ]);
}
