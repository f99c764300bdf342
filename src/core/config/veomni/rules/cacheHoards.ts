import { cacheHoardsRule, type OffloadCache } from "../../rules/cacheHoards.js";
import { numberOf, switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, cacheLimit } from "../offloadNames.js";
import { placedKey, type TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

export const cacheHoards: TrainingRule = cacheHoardsRule({
  explanation:
    "The pool keeps free buffers per exact shape. With dyn_bsz and without pad_to_length the token count changes from step to step, so old shapes are hoarded and PyTorch's allocator below must pin new memory.",
  example: trainingExample({
    model: offloadLines("enable_async_activation: true", "activation_offload_host_cache_limit_gb: 8.0"),
  }),
  cacheOf,
  variesBecause: (context) =>
    switchOf(context, "train.dyn_bsz") === "on" && switchOf(context, "train.pad_to_length") === "off"
      ? "dyn_bsz lets token counts vary"
      : undefined,
  fixes: (context, limitGb) => [
    ...setKeyFix(context, cacheLimit, String(limitGb)),
    ...setKeyFix(context, "train.pad_to_length", "true"),
  ],
});

function cacheOf(context: TrainingContext): OffloadCache | undefined {
  const limitGb = numberOf(context, cacheLimit);
  const place = placedKey(context, cacheLimit) ?? writtenOn(context, "train.dyn_bsz");
  if (writtenOn(context, asyncSwitch) === undefined || limitGb === undefined || place === undefined) return undefined;
  return { limitGb, entry: place.entry, isDefault: false };
}
