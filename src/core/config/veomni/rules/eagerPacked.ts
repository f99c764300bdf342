import type { Finding } from "../../rules/rule.js";
import { switchOf, textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { runsKernel, trainingFamily } from "../trainingFamily.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Eager kernels of gated delta networks with packed sequences. */
export const eagerPacked: TrainingRule = {
  code: "eager-packed",
  severities: ["information"],
  explanation:
    "causal_conv1d and chunk_gated_delta_rule in eager mode fail for packed training, which dyn_bsz (true by default) means. Only models with gated delta layers, as Qwen3.5, use them.",
  example: trainingExample({ model: ["ops_implementation: {causal_conv1d_implementation: eager}"] }),
  check: findingFor,
};

const kernels = ["causal_conv1d", "chunk_gated_delta_rule"].map(
  (name) => `model.ops_implementation.${name}_implementation`,
);

function findingFor(context: TrainingContext): readonly Finding[] {
  if (switchOf(context, "train.dyn_bsz") !== "on") return [];
  const family = trainingFamily(context)?.family;
  return kernels.flatMap((name) => {
    if (family !== undefined && runsKernel(family, name, "eager")) return [];
    const written = placedKey(context, name);
    if (written === undefined || textValueOf(context, name) !== "eager") return [];
    return [
      {
        span: written.entry.value.span,
        severity: "information",
        message: "eager fails for packed sequences (dyn_bsz) on models that use this kernel.",
        fixes: setKeyFix(context, name, "fla"),
      },
    ];
  });
}
