import { shownSentences, shownWord } from "../base/shownWord.js";
import { findingsOfFence } from "./checkFences.js";
import type { Diagnostic } from "./document/diagnostic.js";
import { inTextOrder } from "./document/inTextOrder.js";
import { checkCommands } from "./overrides/checkOverrides.js";
import { dialectOf, type ReadConfig, readConfig, type YamlConfig } from "./readConfig.js";
import { boundedFindings } from "./rules/moreFindings.js";
import type { RuleOptions } from "./rules/rule.js";
import { checkTraining, type TrainingOptions } from "./veomni/checkTraining.js";
import { checkVerl } from "./verl/checkVerl.js";
import { endsLinesWithReturns, withReturns } from "./yaml/lineBreaks.js";

/** What a check knows besides the text. */
export interface CheckOptions extends RuleOptions, TrainingOptions {}

/** What was found in a file: `dialect` is `verl`, or the layout of VeOmni's own training YAML. */
export interface CheckedDocument {
  readonly dialect: string;
  readonly diagnostics: Diagnostic[];
}

/** Reads a file and checks it; `undefined` for files that are none of ours. Never throws, whatever the text is. */
export function checkDocument(path: string, text: string, options: CheckOptions = {}): CheckedDocument | undefined {
  const read = readConfig(path, text, options);
  return read && { dialect: dialectOf(read), diagnostics: checkConfig(read, options) };
}

/**
 * Runs every rule on what was read. Diagnostics are in text order, at most 1,000 and one that counts the rest; generated reference files
 * have none.
 */
export function checkConfig({ text, yaml, commands, fences }: ReadConfig, options: CheckOptions = {}): Diagnostic[] {
  const found = [
    ...(commands === undefined ? [] : checkCommands(commands, options)),
    ...(yaml === undefined ? [] : checkYaml(text, yaml, options)),
    ...fences.flatMap((fence) => findingsOfFence(fence, checkYaml(fence.readable, fence.yaml, options))),
  ];
  return boundedFindings(fences.length === 0 ? found : inTextOrder(found), options).map(readable);
}

/** Words of a file may be as long as the file; what is said about them is for people. */
function readable(diagnostic: Diagnostic): Diagnostic {
  const { message, fixes } = diagnostic;
  return {
    ...diagnostic,
    message: shownSentences(message),
    fixes: fixes.map((fix) => ({ ...fix, title: shownWord(fix.title) })),
  };
}

function checkYaml(text: string, yaml: YamlConfig, options: CheckOptions): Diagnostic[] {
  const found = yaml.form === "training" ? checkTraining(yaml, options) : checkVerl(yaml, options);
  return endsLinesWithReturns(text) ? found.map(withReturnsInFixes) : found;
}

function withReturnsInFixes(diagnostic: Diagnostic): Diagnostic {
  const fixes = diagnostic.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map((edit) => ({ ...edit, newText: withReturns(edit.newText) })),
  }));
  return { ...diagnostic, fixes };
}
