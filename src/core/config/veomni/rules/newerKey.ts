import type { Finding } from "../../rules/rule.js";
import { classifyKey } from "../classifyKey.js";
import type { TrainingContext } from "../trainingContext.js";
import { removeKeyFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import { type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key that is newer than the layout of the file. */
export const newerKey: TrainingRule = {
  code: "newer-key",
  severities: ["error", "warning"],
  explanation:
    "Each layout stands for a range of VeOmni versions. A key of a later one is unknown to them: ignored in YAML until VeOmni #1090, an error since.",
  example: trainingExample({ pin: "model-scoped", model: ["accelerator: {}", "processor_config: {}"] }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const found = classifyKey(written, context.layout);
  if (found?.kind !== "newer") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context.layout),
      message: `${written.path} is not part of the layout ${context.layout}; ${unknownKeyConsequence(context.layout)}. ${found.note}`,
      fixes: removeKeyFix(context, written),
    },
  ];
}
