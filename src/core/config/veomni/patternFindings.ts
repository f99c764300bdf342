import type { Diagnostic } from "../document/diagnostic.js";
import { readPatternList } from "../patterns/patternEntries.js";
import { patternRules } from "../patterns/rules/registry.js";
import { diagnosticOf } from "../rules/rule.js";
import { switchOf } from "./effectiveValue.js";
import { asyncSwitch, checkpointing, moduleList } from "./offloadNames.js";
import { placedKey, type TrainingContext } from "./trainingContext.js";

/** What the rules on pattern lists, which both frameworks share, find in `activation_offload_modules`. */
export function patternFindings(context: TrainingContext): readonly Diagnostic[] {
  const modules = placedKey(context, moduleList);
  if (modules === undefined || switchOf(context, asyncSwitch) === "off") return [];
  const state = switchOf(context, checkpointing);
  const list = readPatternList(context.document, modules.entry.value, state === "unknown" ? undefined : state === "on");
  if (list === undefined) return [];
  return patternRules.flatMap((rule) => rule.check(list).map((finding) => diagnosticOf(rule.code, finding)));
}
