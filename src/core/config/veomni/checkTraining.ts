import type { KnownModels } from "../../modules/families/familyKernels.js";
import { type ConfigDocument, parseConfig } from "../document/configDocument.js";
import type { Diagnostic } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { overwrittenKeys } from "../rules/duplicateKey.js";
import { diagnosticOf } from "../rules/rule.js";
import { syntaxDiagnostics } from "../rules/yamlSyntax.js";
import type { LayoutId } from "./layout.js";
import { patternFindings } from "./patternFindings.js";
import { isTraining, mightBeTraining } from "./recogniseTraining.js";
import { trainingRules } from "./rules/registry.js";
import { patternsOf } from "./rules/unquotedPattern.js";
import { trainingContext } from "./trainingContext.js";

/** What a caller may say about a file; a first-line comment in the file counts more. */
export interface TrainingOptions {
  readonly layout?: LayoutId;
  /** What is known of the models that the file names. */
  readonly models?: KnownModels;
}

/**
 * Runs every rule on VeOmni's own training YAML; `dialect` is the layout. `undefined` for other files, lists of data sources
 * included. Diagnostics are in text order. Never throws, whatever the text is.
 */
export function checkVeomniDocument(
  path: string,
  text: string,
  options: TrainingOptions = {},
): { dialect: LayoutId; diagnostics: Diagnostic[] } | undefined {
  if (!mightBeTraining(path, text)) return undefined;
  const document = parseConfig(text, "pyyaml");
  if (!isTraining(path, document)) return undefined;
  return diagnose(path, document, options);
}

function diagnose(path: string, document: ConfigDocument, options: TrainingOptions) {
  const known = trainingContext(path, document, options.layout);
  const context = options.models === undefined ? known : { ...known, models: options.models };
  const explained = patternsOf(context).map((pattern) => pattern.span);
  const found = [
    ...syntaxDiagnostics(document, explained),
    ...overwrittenKeys(path, document),
    ...patternFindings(context),
    ...trainingRules.flatMap((rule) => rule.check(context).map((finding) => diagnosticOf(rule.code, finding))),
  ];
  return { dialect: context.layout, diagnostics: inTextOrder(found) };
}
