import { shownWord } from "../../../base/shownWord.js";
import type { Severity } from "../../document/diagnostic.js";
import type { Rule } from "../../rules/rule.js";
import { refusesUnknownKeys } from "../layout.js";
import { startedTask, type TrainingContext } from "../trainingContext.js";

/** A rule that runs once per training config. */
export type TrainingRule = Rule<TrainingContext>;

/** The newest sources that the tables of keys were read from; what came later is not in them. */
export const recordedUpTo = "VeOmni 0.1.12 (2026-09-09) and its main branch soon after";

/** How bad a key is that the layout does not know: its parser stops, as for every flag, or ignores it without a word. */
export function unknownKeySeverity({ layout, carrier }: TrainingContext): Severity {
  return carrier.kind === "flag" || refusesUnknownKeys(layout) ? "error" : "warning";
}

/** The same of a key that no layout has: the started task may declare it where its keys are not known. */
export function strayKeySeverity(context: TrainingContext): Severity {
  return startedTask(context)?.kind === "open" ? "hint" : unknownKeySeverity(context);
}

/** What happens, as the second half of a sentence. */
export function unknownKeyConsequence({ layout, carrier }: TrainingContext): string {
  if (refusesUnknownKeys(layout)) return "VeOmni stops at it";
  return carrier.kind === "flag" ? "VeOmni refuses unknown flags" : "VeOmni ignores it without a word";
}

/** A key as messages show it, cut where it is unreasonably long. */
export function shortKey(key: string): string {
  return shownWord(key, 80);
}
