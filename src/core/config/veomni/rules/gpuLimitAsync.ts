import type { Finding } from "../../rules/rule.js";
import { numberOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, gpuLimit } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { removeKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** The limit of the synchronous mode beside the stream-based one. */
export const gpuLimitAsync: TrainingRule = {
  code: "gpu-limit-async",
  severities: ["hint"],
  explanation:
    "activation_gpu_limit is a budget of saved tensors for the synchronous mode. The stream-based mode does not read it.",
  example: trainingExample({ model: offloadLines("enable_async_activation: true", "activation_gpu_limit: 2.0") }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const limit = placedKey(context, gpuLimit);
  if (limit === undefined || writtenOn(context, asyncSwitch) === undefined || numberOf(context, gpuLimit) === 0)
    return [];
  return [
    {
      span: limit.entry.keySpan,
      severity: "hint",
      message: "activation_gpu_limit has no effect with stream-based offload.",
      fixes: removeKeyFix(context, limit),
    },
  ];
}
