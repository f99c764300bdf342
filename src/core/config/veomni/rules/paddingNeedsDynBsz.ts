import type { Finding } from "../../rules/rule.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Padding to a fixed length without dynamic batches. */
export const paddingNeedsDynBsz: TrainingRule = {
  code: "padding-needs-dyn-bsz",
  severities: ["warning"],
  explanation: "pad_to_length needs dyn_bsz; without it VeOmni turns the padding off and only logs a warning.",
  example: trainingExample({ train: ["dyn_bsz: false", "pad_to_length: true"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const padding = writtenOn(context, "train.pad_to_length");
  if (padding === undefined || switchOf(context, "train.dyn_bsz") !== "off") return [];
  return [
    {
      span: padding.entry.span,
      severity: "warning",
      message: "pad_to_length needs dyn_bsz; without it VeOmni turns the padding off.",
      fixes: [...setKeyFix(context, "train.dyn_bsz", "true"), ...setKeyFix(context, "train.pad_to_length", "false")],
    },
  ];
}
