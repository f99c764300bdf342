import type { Finding } from "../../rules/rule.js";
import { lengthOf, numberOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A head group size for Muon without the modules that it splits. */
export const muonHeadSplit: TrainingRule = {
  code: "muon-head-split",
  severities: ["error"],
  explanation: "muon_head_group_size of 1 or more requires muon_head_split_modules.",
  example: trainingExample({ model: ["optimizer: {type: muon, muon_head_group_size: 4}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const size = placedKey(context, "train.optimizer.muon_head_group_size");
  const value = numberOf(context, "train.optimizer.muon_head_group_size");
  if (size === undefined || value === undefined || value < 1) return [];
  if (lengthOf(context, "train.optimizer.muon_head_split_modules") !== 0) return [];
  return [
    {
      span: size.entry.span,
      severity: "error",
      message: "muon_head_group_size of 1 or more requires muon_head_split_modules.",
      fixes: setKeyFix(context, "train.optimizer.muon_head_group_size", "0"),
    },
  ];
}
