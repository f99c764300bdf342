import type { Finding } from "../../rules/rule.js";
import { textValueOf, writtenOn } from "../effectiveValue.js";
import { syncSwitch } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A chunked loss with synchronous activation offload. */
export const chunkLossSync: TrainingRule = {
  code: "chunk-loss-sync",
  severities: ["error"],
  explanation:
    "With cross_entropy_loss_implementation chunk_loss or npu, synchronous activation offload fails; VeOmni #1004, which would change that, is open.",
  example: trainingExample({
    model: [
      "ops_implementation: {cross_entropy_loss_implementation: chunk_loss}",
      ...offloadLines("enable_activation: true"),
    ],
  }),
  check: findingFor,
};

const loss = "model.ops_implementation.cross_entropy_loss_implementation";

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = placedKey(context, loss);
  const value = textValueOf(context, loss);
  if (written === undefined || (value !== "chunk_loss" && value !== "npu")) return [];
  if (writtenOn(context, syncSwitch) === undefined) return [];
  return [
    {
      span: written.entry.value.span,
      severity: "error",
      message: `${value} fails together with synchronous activation offload.`,
      fixes: [
        ...setKeyFix(context, loss, value === "npu" ? "eager" : "liger_kernel"),
        ...setKeyFix(context, syncSwitch, "false"),
      ],
    },
  ];
}
