import type { Finding } from "../../rules/rule.js";
import { numberOf, switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, cacheLimit } from "../offloadNames.js";
import { placedKey, type TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Two users of pinned host memory at once. */
export const pinnedMemory: TrainingRule = {
  code: "pinned-memory",
  severities: ["information"],
  explanation:
    "optimizer type adamw_swap keeps both moments of AdamW on the host and pins them while swap_pin_memory is on, its default; activation offload pins its buffers as well. Pinned memory cannot be swapped out.",
  example: trainingExample({
    model: ["optimizer: {type: adamw_swap}", ...offloadLines("enable_async_activation: true")],
  }),
  check: findingFor,
};

const pinning = "model.optimizer.swap_pin_memory";

function findingFor(context: TrainingContext): readonly Finding[] {
  const type = placedKey(context, "train.optimizer.type");
  const isSwapped = type !== undefined && textValueOf(context, "train.optimizer.type") === "adamw_swap";
  if (!isSwapped || switchOf(context, pinning) !== "on" || writtenOn(context, asyncSwitch) === undefined) return [];
  const limit = numberOf(context, cacheLimit);
  const cache =
    limit === undefined ? "the cache of activation offload" : `the offload cache of up to ${limit} GB a rank`;
  return [
    {
      span: (placedKey(context, pinning) ?? type).entry.span,
      severity: "information",
      message: `adamw_swap pins the optimizer states of every rank (two values a parameter of its shard) beside ${cache} and the buffers in flight.`,
      fixes: setKeyFix(context, pinning, "false"),
    },
  ];
}
