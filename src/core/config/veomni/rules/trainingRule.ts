import type { Severity } from "../../document/diagnostic.js";
import type { Finding, RuleFacts } from "../../rules/rule.js";
import { type LayoutId, refusesUnknownKeys } from "../layout.js";
import type { TrainingContext } from "../trainingContext.js";

/** A rule that runs once per training config. */
export interface TrainingRule extends RuleFacts {
  check(context: TrainingContext): readonly Finding[];
}

/** How bad a key is that the layout does not know: its parser stops, or ignores it without a word. */
export function unknownKeySeverity(layout: LayoutId): Severity {
  return refusesUnknownKeys(layout) ? "error" : "warning";
}

/** The same as the second half of a sentence. */
export function unknownKeyConsequence(layout: LayoutId): string {
  return refusesUnknownKeys(layout) ? "VeOmni stops at it" : "VeOmni ignores it without a word";
}

/** A key as messages show it, cut where it is unreasonably long. */
export function shortKey(key: string): string {
  return key.length <= 80 ? key : `${key.slice(0, 80)}…`;
}
