import type { Finding } from "../../rules/rule.js";
import type { StrayWrittenKey, TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import { type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key at the place that another layout gives it. */
export const movedKey: TrainingRule = {
  code: "moved-key",
  severities: ["error", "warning"],
  explanation:
    "VeOmni moved keys three times: #538 put the flat keys of train into blocks, #1090 moved accelerator and optimizer from train to model, #1125 moved the chat template. There are no aliases for the old places.",
  example: trainingExample({ model: ["accelerator: {}"], train: ["lr: 1.0e-5"] }),
  check: (context) => context.strays.flatMap((stray) => findingFor(context, stray)),
};

function findingFor(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  if (found.kind !== "moved") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context),
      message: `${written.path} belongs to another layout; ${unknownKeyConsequence(context)}. In the layout ${context.layout} it is ${found.target}.`,
      fixes: [...relocateFix(context, written, found.target), ...removeKeyFix(context, written)],
    },
  ];
}
