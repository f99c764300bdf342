import { scalarOf } from "../../document/configNode.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { modelSwitch } from "./modelSwitch.js";
import { setFix } from "./switchFixes.js";

/** Stream-based offload without gradient checkpointing: allowed, but little or nothing moves. */
export const asyncWithoutCheckpointing: BlockRule = {
  code: "async-without-gc",
  severities: ["information"],
  explanation:
    "Only the input tensor of a selected module moves. With gradient checkpointing that is exactly what a layer saves; without it the intermediate activations stay on the device, and models whose first norm saves an up-cast copy move nothing at all.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    enable_gradient_checkpointing: false",
    "  actor:",
    "    veomni:",
    "      enable_async_activation_offload: true",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  if (asyncSwitchOf(context.block) !== "on" || context.block.role === "ref") return [];
  const checkpointing = modelSwitch(context, "enable_gradient_checkpointing");
  const value = scalarOf(checkpointing?.value);
  if (checkpointing === undefined || value?.type !== "bool" || value.value) return [];
  return [
    {
      span: checkpointing.span,
      severity: "information",
      message:
        "Without gradient checkpointing, async activation offload moves layer inputs only; the other activations stay on the device.",
      fixes: setFix("Set enable_gradient_checkpointing to true", context, checkpointing, "true"),
    },
  ];
}
