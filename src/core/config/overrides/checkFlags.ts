import type { Diagnostic } from "../document/diagnostic.js";
import { type RuleOptions, runRules } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import { fieldAt } from "../veomni/fields/fieldTable.js";
import { recordedTaskOf } from "../veomni/fields/taskKeys.js";
import { type LayoutId, layoutIds } from "../veomni/layout.js";
import { patternFindings } from "../veomni/patternFindings.js";
import { deprecatedValue } from "../veomni/rules/deprecatedValue.js";
import { foreignKey } from "../veomni/rules/foreignKey.js";
import { listEntryType } from "../veomni/rules/listEntryType.js";
import { misnamedKey } from "../veomni/rules/misnamedKey.js";
import { movedKey } from "../veomni/rules/movedKey.js";
import { newerKey } from "../veomni/rules/newerKey.js";
import { notImplemented } from "../veomni/rules/notImplemented.js";
import { otherTrainer } from "../veomni/rules/otherTrainer.js";
import { outOfRange } from "../veomni/rules/outOfRange.js";
import { crossRules } from "../veomni/rules/registry.js";
import { removedKey } from "../veomni/rules/removedKey.js";
import type { TrainingRule } from "../veomni/rules/trainingRule.js";
import { unknownKey } from "../veomni/rules/unknownKey.js";
import { unknownValue } from "../veomni/rules/unknownValue.js";
import { unmergedKey } from "../veomni/rules/unmergedKey.js";
import { wrongType } from "../veomni/rules/wrongType.js";
import { type StartedTask, type TrainingContext, trainingContext } from "../veomni/trainingContext.js";
import { flagNode } from "./flagNode.js";
import { withRefusals } from "./flagRefusals.js";
import { overrideWriter, safeFixes } from "./overrideEdits.js";
import { type OverrideTree, overrideTree } from "./overrideTree.js";

/** Rules on flags that no parser knows. */
const keyRules: readonly TrainingRule[] = [
  misnamedKey,
  foreignKey,
  unmergedKey,
  movedKey,
  newerKey,
  removedKey,
  unknownKey,
  otherTrainer,
];
/** Rules on what the argument parser converts and compares with its choices itself, before anything starts. */
const parsedRules: readonly TrainingRule[] = [wrongType, unknownValue, listEntryType];
/**
 * Other rules on values. How flags go together with the YAML file that the same call names is known at run time only, so rules on
 * several keys look at flags alone, and those on missing keys stay silent.
 */
const valueRules: readonly TrainingRule[] = [outOfRange, notImplemented, deprecatedValue, ...crossRules];

/** Judges the flags of one call of VeOmni. */
export function checkFlags(
  path: string,
  text: string,
  overrides: readonly Override[],
  options: RuleOptions,
): readonly Diagnostic[] {
  const tree = overrideTree(text, overrides, flagNode);
  const writer = overrideWriter(text, tree);
  const context: TrainingContext = {
    ...trainingContext(path, tree.document),
    carrier: { kind: "flag", started: taskOf(overrides[0]?.task) },
    writer,
    options,
  };
  const parsed = withRefusals(context.layout, overrides, runRules(parsedRules, context));
  const judged = [
    ...runRules(keyRules, context),
    ...parsed.kept,
    ...runRules(valueRules, context),
    ...parsed.refused,
    ...patternFindings(context),
  ];
  const byStart = new Map([...tree.overrideOf].map(([entry, override]) => [entry.keySpan.start, override]));
  return judged.map((found) => ({
    ...found,
    fixes: fixesOf(text, tree, context.layout, found, byStart.get(found.span.start)),
  }));
}

/** Only tasks of VeOmni whose keys are recorded are known to declare nothing else. */
function taskOf(program: string | undefined): StartedTask {
  const task = recordedTaskOf(program);
  return task === undefined ? { kind: "open" } : { kind: "recorded", task };
}

/** A flag is one word, so a key that moved is written anew as a whole. */
function fixesOf(
  text: string,
  tree: OverrideTree,
  layout: LayoutId,
  diagnostic: Diagnostic,
  override: Override | undefined,
): Diagnostic["fixes"] {
  const target = override === undefined ? undefined : movedTo(override.keyPath, layout);
  if (override === undefined || target === undefined || target === override.keyPath) {
    return safeFixes(text, tree, diagnostic.fixes);
  }
  const { keySpan, keyPath } = override;
  if (text.slice(keySpan.start, keySpan.end) !== keyPath) return [];
  return [{ title: `Write --${target}`, edits: [{ span: keySpan, newText: target }] }];
}

/** Where the layout has the key of another one. */
function movedTo(keyPath: string, layout: LayoutId): string | undefined {
  const fields = layoutIds.map((each) => fieldAt(each, keyPath));
  return fields.map((field) => field?.paths[layout]).find((path) => path !== undefined);
}
