import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** The default rotary kernel on a model that rejects it. */
export const rotaryRejected: TrainingRule = {
  code: "rotary-rejected",
  severities: ["information"],
  explanation:
    "DeepSeek-V4 and Wan reject liger_kernel, the default of rotary_pos_emb_implementation; pin triton or eager.",
  example: trainingExample({ model: ["config_path: configs/deepseek_v4"] }),
  check: findingFor,
};

const rotary = "model.ops_implementation.rotary_pos_emb_implementation";
const rejecting = /(?:^|[/_-])(?:wan(?:[\d._/-]|$)|deepseek[_-]?v4)/i;

function findingFor(context: TrainingContext): readonly Finding[] {
  if (context.layout === "flat" || textValueOf(context, rotary) !== "liger_kernel") return [];
  const model = ["model.config_path", "model.model_path"]
    .filter((name) => rejecting.test(textValueOf(context, name) ?? ""))
    .map((name) => placedKey(context, name))[0];
  if (model === undefined) return [];
  return [
    {
      span: placedKey(context, rotary)?.entry.span ?? model.entry.span,
      severity: "information",
      message: "This model family rejects the rotary kernel liger_kernel, which is the default; pin triton or eager.",
      fixes: [...setKeyFix(context, rotary, "triton"), ...setKeyFix(context, rotary, "eager")],
    },
  ];
}
