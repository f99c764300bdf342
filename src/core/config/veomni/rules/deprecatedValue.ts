import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { runsKernel, trainingFamily } from "../trainingFamily.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A value that is only an alias any more. */
export const deprecatedValue: TrainingRule = {
  code: "deprecated-value",
  severities: ["information"],
  explanation: "moe_implementation fused is a deprecated alias (VeOmni #678) that each host resolves for itself.",
  example: trainingExample({ model: ["ops_implementation: {moe_implementation: fused}"] }),
  check: findingFor,
};

const moe = "model.ops_implementation.moe_implementation";

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = placedKey(context, moe);
  if (written === undefined || context.layout === "flat" || textValueOf(context, moe) !== "fused") return [];
  const family = trainingFamily(context)?.family;
  const kernel = family === undefined || runsKernel(family, moe, "fused_triton") ? "fused_triton" : "fused_quack";
  return [
    {
      span: written.entry.value.span,
      severity: "information",
      message: `fused is a deprecated alias that each host resolves for itself; name the kernel, on NVIDIA GPUs ${kernel}.`,
      fixes: setKeyFix(context, moe, kernel),
    },
  ];
}
