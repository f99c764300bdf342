import { entryOf } from "../../document/configNode.js";
import { booleanIn } from "../../document/literalValues.js";
import { cacheHoardsRule } from "../../rules/cacheHoards.js";
import { fileExample } from "../../rules/example.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { runsForwardOnly } from "../offloadSwitch.js";
import { modelSwitch } from "./modelSwitch.js";
import { offloadCacheKey, offloadCacheOf } from "./offloadCache.js";
import { putFix } from "./switchFixes.js";

export const cacheHoards: BlockRule = cacheHoardsRule({
  explanation:
    "The pool keeps free buffers per exact shape. When token counts vary (padding removed, dynamic batches), old shapes are hoarded and PyTorch's allocator below must pin new memory. Measured with 8 to 16 thousand tokens: a limit of 4 pinned 6.0 GiB with 194 driver allocations and steps of 830 to 1,060 ms where 300 to 550 ms is normal; a limit of 0.25 pinned 1.3 GiB with 43 and almost no overhead. pad_to_length makes shapes repeat.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    use_remove_padding: true",
    "  actor:",
    "    use_dynamic_bsz: true",
    "    veomni:",
    "      enable_async_activation_offload: true",
    "      activation_offload_host_cache_limit_gb: 4.0",
  ),
  cacheOf: (context) => (runsForwardOnly(context.block) ? undefined : offloadCacheOf(context)),
  variesBecause,
  fixes: (context, limitGb) =>
    putFix(`Set ${offloadCacheKey} to ${limitGb}`, context, context.block.mapping, offloadCacheKey, String(limitGb)),
});

function variesBecause(context: BlockContext): string | undefined {
  const { block, document } = context;
  if (isPadded(context)) return undefined;
  if (booleanIn(document.root, block.parent, "use_dynamic_bsz") === true) return "use_dynamic_bsz is on";
  const padding = modelSwitch(context, "use_remove_padding");
  const removed =
    padding !== undefined && booleanIn(document.root, block.model?.mapping, "use_remove_padding") === true;
  return removed ? "use_remove_padding is on" : undefined;
}

/** Padding that is on, or that only the run knows. */
function isPadded({ block, document }: BlockContext): boolean {
  const places = block.role === "sft" ? [block.mapping] : [block.mapping, block.parent];
  return places.some((mapping) => {
    if (entryOf(mapping, "pad_to_length") === undefined) return false;
    return booleanIn(document.root, mapping, "pad_to_length") !== false;
  });
}
