import { scalarOf } from "../../document/configNode.js";
import { cacheWithoutSwitchRule } from "../../rules/cacheWithoutSwitch.js";
import { engineExample } from "../../rules/example.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { type WrittenField, writtenField } from "../writtenFields.js";
import { offloadCacheKey } from "./offloadCache.js";
import { unusedKeyFixes } from "./switchFixes.js";

export const cacheWithoutSwitch: BlockRule = cacheWithoutSwitchRule({
  switchName: "enable_async_activation_offload",
  example: engineExample("enable_async_activation_offload: false", "activation_offload_host_cache_limit_gb: 8.0"),
  unusedLimitOf,
  fixes: unusedKeyFixes,
});

function unusedLimitOf({ block }: BlockContext): WrittenField | undefined {
  const written = writtenField(block, offloadCacheKey);
  const limit = scalarOf(written?.entry.value);
  if (limit?.type !== "int" && limit?.type !== "float") return undefined;
  const state = asyncSwitchOf(block);
  return limit.value !== written?.field?.yamlDefault && (state === "off" || state === "absent") ? written : undefined;
}
