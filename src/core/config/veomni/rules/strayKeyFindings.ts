import { asMapping } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import type { Finding } from "../../rules/rule.js";
import { fieldAt } from "../fields/fieldTable.js";
import { likelyTasks } from "../likelyTasks.js";
import { type StrayWrittenKey, startedTask, type TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { strayKeySeverity, unknownKeyConsequence } from "./trainingRule.js";

/** Findings for the keys of one table of known mistakes. */
export function strayKeyFindings(context: TrainingContext, kind: "misnamed" | "unmerged" | "verl"): readonly Finding[] {
  return context.strays.flatMap((stray) => findingFor(context, kind, stray));
}

function findingFor(
  context: TrainingContext,
  kind: "misnamed" | "unmerged" | "verl",
  { written, found }: StrayWrittenKey,
): readonly Finding[] {
  if (found.kind !== kind || likelyTasks(context).some(({ declares }) => declares.includes(written.path))) return [];
  const { target, note } = found;
  const advice = target === undefined ? "" : ` Here it is ${target}.`;
  const canTakeOver = target !== undefined && fits(context, written, target);
  return [
    {
      span: written.entry.keySpan,
      severity: strayKeySeverity(context),
      message: `VeOmni has no key ${written.path}; ${unknownKeyConsequence(context)}. ${note}${advice}`,
      fixes: [...(canTakeOver ? relocateFix(context, written, target) : []), ...removals(context, written)],
    },
  ];
}

/** Whoever starts a task of his own wants the key. */
function removals(context: TrainingContext, written: WrittenKey): readonly QuickFix[] {
  return startedTask(context)?.kind === "open" ? [] : removeKeyFix(context, written);
}

/** A mapping does not become a value by another name, nor a value a block. */
function fits(context: TrainingContext, written: WrittenKey, target: string): boolean {
  const type = fieldAt(context.layout, target)?.type;
  if (type === undefined) return true;
  return (asMapping(written.entry.value) !== undefined) === type.startsWith("map");
}
