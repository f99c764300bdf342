import { checkFences, isMarkdown } from "./checkFences.js";
import { parseConfig } from "./document/configDocument.js";
import type { Diagnostic } from "./document/diagnostic.js";
import { inTextOrder } from "./document/inTextOrder.js";
import { endsLinesWithReturns, withReturns } from "./document/lineBreaks.js";
import { holdsOverrides } from "./overrides/calls.js";
import { checkOverrides } from "./overrides/checkOverrides.js";
import { boundedFindings } from "./rules/moreFindings.js";
import type { RuleOptions } from "./rules/rule.js";
import { checkVeomniDocument, type TrainingOptions } from "./veomni/checkTraining.js";
import { checkVerl } from "./verl/checkVerl.js";
import { mightBeRelevant, recogniseDocument } from "./verl/recognise.js";

/** What a check knows besides the text. */
export interface CheckOptions extends RuleOptions, TrainingOptions {}

/** What was found in a file: `dialect` is `verl`, or the layout of VeOmni's own training YAML. */
export interface CheckedDocument {
  readonly dialect: string;
  readonly diagnostics: Diagnostic[];
}

/**
 * Runs every rule on a YAML file, on the overrides that a script hands to a program, or on both in the blocks of a Markdown file. `undefined` for files
 * that configure neither verl's VeOmni engine nor VeOmni itself. Diagnostics are in text order, at most 1,000 and one that counts the
 * rest; generated reference files have none. Never throws, whatever the text is.
 */
export function checkDocument(path: string, text: string, options: CheckOptions = {}): CheckedDocument | undefined {
  const checked = isMarkdown(path)
    ? checkMarkdown(path, text, options)
    : holdsOverrides(path)
      ? checkOverrides(path, text, options)
      : checkYaml(path, text, options);
  return checked && { ...checked, diagnostics: boundedFindings(checked.diagnostics, options) };
}

/** Its blocks of shell text and of YAML. */
function checkMarkdown(path: string, text: string, options: CheckOptions): CheckedDocument | undefined {
  const ofShell = checkOverrides(path, text, options);
  const ofYaml = checkFences(path, text, (name, yaml) => checkYaml(name, yaml, options));
  const all = ofShell === undefined ? ofYaml : [ofShell, ...ofYaml];
  const [first] = all;
  return first && { dialect: first.dialect, diagnostics: inTextOrder(all.flatMap(({ diagnostics }) => diagnostics)) };
}

function checkYaml(path: string, text: string, options: CheckOptions): CheckedDocument | undefined {
  const checked = checkVeomniDocument(path, text, options) ?? checkVerlYaml(path, text, options);
  if (checked === undefined || !endsLinesWithReturns(text)) return checked;
  return { ...checked, diagnostics: checked.diagnostics.map(withReturnsInFixes) };
}

function withReturnsInFixes(diagnostic: Diagnostic): Diagnostic {
  const fixes = diagnostic.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map((edit) => ({ ...edit, newText: withReturns(edit.newText) })),
  }));
  return { ...diagnostic, fixes };
}

function checkVerlYaml(path: string, text: string, options: CheckOptions): CheckedDocument | undefined {
  if (!mightBeRelevant(path, text)) return undefined;
  const document = parseConfig(text, "omegaconf");
  const kind = recogniseDocument(path, document);
  return kind === undefined
    ? undefined
    : { dialect: kind.dialect, diagnostics: checkVerl(path, document, kind, options) };
}
