import type { Finding } from "../../rules/rule.js";
import { numberOf, switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, cacheLimit } from "../offloadNames.js";
import { placedKey, type TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Measured: 0.25 stays small and fast, 4 hoards. */
const smallLimitGb = 0.25;
const largeLimitGb = 1;

/** A large cache limit where hardly two steps have the same shapes. */
export const cacheHoards: TrainingRule = {
  code: "cache-hoards",
  severities: ["information"],
  explanation:
    "The pool keeps free buffers per exact shape. With dyn_bsz and without pad_to_length the token count changes from step to step, so old shapes are hoarded and PyTorch's allocator below must pin new memory.",
  example: trainingExample({
    model: offloadLines("enable_async_activation: true", "activation_offload_host_cache_limit_gb: 8.0"),
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const offload = writtenOn(context, asyncSwitch);
  const limit = numberOf(context, cacheLimit);
  if (offload === undefined || limit === undefined || limit < largeLimitGb) return [];
  if (switchOf(context, "train.dyn_bsz") !== "on" || switchOf(context, "train.pad_to_length") !== "off") return [];
  const place = placedKey(context, cacheLimit) ?? writtenOn(context, "train.dyn_bsz");
  if (place === undefined) return [];
  return [
    {
      span: place.entry.span,
      severity: "information",
      message: `A cache limit of ${limit} hoards pinned buffers of shapes that do not come back, because dyn_bsz lets token counts vary; steps get slower until it is full. ${smallLimitGb} was measured to be smaller and faster.`,
      fixes: [
        ...setKeyFix(context, cacheLimit, String(smallLimitGb)),
        ...setKeyFix(context, "train.pad_to_length", "true"),
      ],
    },
  ];
}
