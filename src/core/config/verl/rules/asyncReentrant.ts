import { switchStateOf } from "../../document/switchState.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** Stream-based offload with reentrant gradient checkpointing. */
export const asyncReentrant: BlockRule = {
  code: "async-reentrant",
  severities: ["warning"],
  explanation:
    "Reentrant checkpointing runs the layer without recording autograd, so the pack hook never sees its activations. No code that could be read rejects this; it follows from how the hooks work.",
  example: engineExample("enable_async_activation_offload: true", "enable_reentrant: true"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const reentrant = writtenField(context.block, "enable_reentrant");
  if (reentrant === undefined || switchStateOf(reentrant.entry) !== "on") return [];
  if (asyncSwitchOf(context.block) !== "on") return [];
  return [
    {
      span: reentrant.entry.span,
      severity: "warning",
      message:
        "With reentrant gradient checkpointing the offload hooks do not see the activations, so nothing useful is offloaded.",
      fixes: setFix("Set enable_reentrant to false", context, reentrant.entry, "false"),
    },
  ];
}
