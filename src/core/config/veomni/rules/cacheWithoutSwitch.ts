import { cacheWithoutSwitchRule } from "../../rules/cacheWithoutSwitch.js";
import { numberOf, switchOf } from "../effectiveValue.js";
import { asyncSwitch, cacheLimit } from "../offloadNames.js";
import { type PlacedKey, placedKey, type TrainingContext } from "../trainingContext.js";
import { removeKeyFix, setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

export const cacheWithoutSwitch: TrainingRule = cacheWithoutSwitchRule({
  switchName: "enable_async_activation",
  example: trainingExample({ model: offloadLines("activation_offload_host_cache_limit_gb: 8.0") }),
  unusedLimitOf,
  fixes: (context, limit) => [...setKeyFix(context, asyncSwitch, "true"), ...removeKeyFix(context, limit)],
});

function unusedLimitOf(context: TrainingContext): PlacedKey | undefined {
  const limit = placedKey(context, cacheLimit);
  const value = numberOf(context, cacheLimit);
  if (value === undefined || value === limit?.field.default) return undefined;
  return switchOf(context, asyncSwitch) === "off" ? limit : undefined;
}
