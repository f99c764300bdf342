import { type MappingEntry, scalarOf } from "../../document/configNode.js";
import { asyncWithoutCheckpointingRule } from "../../rules/asyncWithoutCheckpointing.js";
import { fileExample } from "../../rules/example.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { modelSwitch } from "./modelSwitch.js";
import { setFix } from "./switchFixes.js";

export const asyncWithoutCheckpointing: BlockRule = asyncWithoutCheckpointingRule({
  offload: "async activation offload",
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
  offBesideOffload,
  turnOn: (context, entry) => setFix("Set enable_gradient_checkpointing to true", context, entry, "true"),
});

function offBesideOffload(context: BlockContext): MappingEntry | undefined {
  if (asyncSwitchOf(context.block) !== "on" || context.block.role === "ref") return undefined;
  const checkpointing = modelSwitch(context, "enable_gradient_checkpointing");
  const value = scalarOf(checkpointing?.value);
  return value?.type === "bool" && !value.value ? checkpointing : undefined;
}
