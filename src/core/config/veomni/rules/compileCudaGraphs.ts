import type { Finding } from "../../rules/rule.js";
import { switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** CUDA graphs with resharding after forward. */
export const compileCudaGraphs: TrainingRule = {
  code: "compile-cuda-graphs",
  severities: ["error"],
  explanation:
    "torch_compile.mode reduce-overhead and backend cudagraphs need fsdp_config.reshard_after_forward false.",
  example: trainingExample({
    model: ["accelerator: {torch_compile: {enable: true, mode: reduce-overhead}}"],
    train: ["pad_to_length: true"],
  }),
  check: findingFor,
};

const reshard = "train.accelerator.fsdp_config.reshard_after_forward";

function findingFor(context: TrainingContext): readonly Finding[] {
  if (writtenOn(context, "train.torch_compile.enable") === undefined || switchOf(context, reshard) !== "on") return [];
  const mode = textValueOf(context, "train.torch_compile.mode") === "reduce-overhead";
  const backend = textValueOf(context, "train.torch_compile.backend") === "cudagraphs";
  const written = placedKey(context, mode ? "train.torch_compile.mode" : "train.torch_compile.backend");
  if (written === undefined || !(mode || backend)) return [];
  return [
    {
      span: written.entry.span,
      severity: "error",
      message: "CUDA graphs need fsdp_config.reshard_after_forward false; its default is true.",
      fixes: setKeyFix(context, reshard, "false"),
    },
  ];
}
