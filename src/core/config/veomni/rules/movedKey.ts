import type { Finding } from "../../rules/rule.js";
import { classifyKey } from "../classifyKey.js";
import type { TrainingContext } from "../trainingContext.js";
import { relocateFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import { type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key at the place that another layout gives it. */
export const movedKey: TrainingRule = {
  code: "moved-key",
  severities: ["error", "warning"],
  explanation:
    "VeOmni moved keys three times: #538 put the flat keys of train into blocks, #1090 moved accelerator and optimizer from train to model, #1125 moved the chat template. There are no aliases for the old places.",
  example: trainingExample({ model: ["accelerator: {}"], train: ["lr: 1.0e-5"] }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const found = classifyKey(written, context.layout);
  if (found?.kind !== "moved") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context.layout),
      message: `${written.path} belongs to another layout; ${unknownKeyConsequence(context.layout)}. In the layout ${context.layout} it is ${found.target}.`,
      fixes: relocateFix(context, written, found.target),
    },
  ];
}
