import type { Finding } from "../../rules/rule.js";
import type { StrayWrittenKey, TrainingContext } from "../trainingContext.js";
import { removeKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import { type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key that is newer than the layout of the file. */
export const newerKey: TrainingRule = {
  code: "newer-key",
  severities: ["error", "warning"],
  explanation:
    "Each layout stands for a range of VeOmni versions. A key of a later one is unknown to them: ignored in YAML until VeOmni #1090, an error since.",
  example: trainingExample({ pin: "model-scoped", model: ["accelerator: {}", "processor_config: {}"] }),
  check: (context) => context.strays.flatMap((stray) => findingFor(context, stray)),
};

function findingFor(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  if (found.kind !== "newer") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context),
      message: `${written.path} is not part of the layout ${context.layout}; ${unknownKeyConsequence(context)}. ${found.note}`,
      fixes: removeKeyFix(context, written),
    },
  ];
}
