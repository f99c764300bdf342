import type { Finding } from "../../rules/rule.js";
import { numberOf, switchOf } from "../effectiveValue.js";
import { asyncSwitch, cacheLimit } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { removeKeyFix, setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A host cache limit, other than the default, that bounds nothing. */
export const cacheWithoutSwitch: TrainingRule = {
  code: "cache-without-switch",
  severities: ["hint"],
  explanation:
    "activation_offload_host_cache_limit_gb bounds the idle pinned buffers of stream-based offload. While enable_async_activation is off there are none.",
  example: trainingExample({ model: offloadLines("activation_offload_host_cache_limit_gb: 8.0") }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const limit = placedKey(context, cacheLimit);
  const value = numberOf(context, cacheLimit);
  if (limit === undefined || value === undefined || value === limit.field.default) return [];
  if (switchOf(context, asyncSwitch) !== "off") return [];
  return [
    {
      span: limit.entry.keySpan,
      severity: "hint",
      message: "activation_offload_host_cache_limit_gb has no effect while enable_async_activation is off.",
      fixes: [...setKeyFix(context, asyncSwitch, "true"), ...removeKeyFix(context, limit)],
    },
  ];
}
