import { asMapping } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import { fieldAt } from "../fields/fieldTable.js";
import type { StrayWrittenKey, TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** Findings for the keys of one table of known mistakes. */
export function strayKeyFindings(context: TrainingContext, kind: "misnamed" | "unmerged" | "verl"): readonly Finding[] {
  return context.strays.flatMap((stray) => findingFor(context, kind, stray));
}

function findingFor(
  context: TrainingContext,
  kind: "misnamed" | "unmerged" | "verl",
  { written, found }: StrayWrittenKey,
): readonly Finding[] {
  if (found.kind !== kind) return [];
  const { target, note } = found;
  const advice = target === undefined ? "" : ` Here it is ${target}.`;
  const canTakeOver = target !== undefined && fits(context, written, target);
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context.layout),
      message: `VeOmni has no key ${written.path}; ${unknownKeyConsequence(context.layout)}. ${note}${advice}`,
      fixes: [...(canTakeOver ? relocateFix(context, written, target) : []), ...removeKeyFix(context, written)],
    },
  ];
}

/** A mapping does not become a value by another name, nor a value a block. */
function fits(context: TrainingContext, written: WrittenKey, target: string): boolean {
  const type = fieldAt(context.layout, target)?.type;
  if (type === undefined) return true;
  return (asMapping(written.entry.value) !== undefined) === type.startsWith("map");
}
