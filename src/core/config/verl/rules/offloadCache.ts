import { entryOf, scalarOf } from "../../document/configNode.js";
import { followReference } from "../../document/interpolation.js";
import type { OffloadCache } from "../../rules/cacheHoards.js";
import type { BlockContext } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";

const key = "activation_offload_host_cache_limit_gb";
const defaultLimitGb = 4;

/** The cache limit of a block whose offload is on, at its key, else at the switch that turns the default on; `undefined` for limits that fail or that only the run knows. */
export function offloadCacheOf({
  block,
  document,
}: Pick<BlockContext, "block" | "document">): OffloadCache | undefined {
  if (asyncSwitchOf(block) !== "on") return undefined;
  const written = entryOf(block.mapping, key);
  const toggle = entryOf(block.mapping, "enable_async_activation_offload");
  if (written === undefined) {
    return toggle === undefined ? undefined : { limitGb: defaultLimitGb, entry: toggle, isDefault: true };
  }
  const value = scalarOf(followReference(document.root, written.value));
  if (value?.type !== "int" && value?.type !== "float") return undefined;
  const isUsable = Number.isFinite(value.value) && value.value >= 0;
  return isUsable ? { limitGb: value.value, entry: written, isDefault: false } : undefined;
}

/** Sets the limit where it stands, else adds it to the block. */
export const offloadCacheKey = key;
