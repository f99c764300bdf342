import { judgeKernel, kernelFinding } from "../../rules/modelKernels.js";
import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { selectorOf, trainingFamily } from "../trainingFamily.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A rotary kernel, most often the default, on a model that rejects it. */
export const rotaryRejected: TrainingRule = {
  code: "rotary-rejected",
  severities: ["information"],
  explanation:
    "DeepSeek-V4 and Wan reject liger_kernel, the default of rotary_pos_emb_implementation; pin triton (DeepSeek-V4: from VeOmni 0.1.12 on) or eager.",
  example: trainingExample({ model: ["config_path: configs/deepseek_v4"] }),
  check: findingFor,
};

const rotary = "model.ops_implementation.rotary_pos_emb_implementation";

function findingFor(context: TrainingContext): readonly Finding[] {
  const found = trainingFamily(context);
  const value = textValueOf(context, rotary);
  if (context.layout === "flat" || found === undefined || value === undefined) return [];
  const written = placedKey(context, rotary);
  const choice = { selector: selectorOf(rotary), value, isDefault: written === undefined, packed: true };
  const judged = judgeKernel(found.family, choice);
  if (judged === undefined) return [];
  const span = (written?.entry ?? found.key.entry).span;
  const findings = kernelFinding(found.family, span, [judged], (_, better) => setKeyFix(context, rotary, better));
  return findings.map((finding) => ({ ...finding, severity: "information" }));
}
