import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf, runsForwardOnly } from "../offloadSwitch.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** Stream-based offload for a policy that never runs backward. */
export const asyncInRef: BlockRule = {
  code: "async-in-ref",
  severities: ["information"],
  explanation:
    "The reference policy only runs forward without gradients and saves no activations, so there is nothing to offload.",
  example: fileExample("actor_rollout_ref:", "  ref:", "    veomni:", "      enable_async_activation_offload: true"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const written = writtenField(context.block, "enable_async_activation_offload");
  if (written === undefined || !runsForwardOnly(context.block) || asyncSwitchOf(context.block) !== "on") return [];
  return [
    {
      span: written.entry.span,
      severity: "information",
      message: "Activation offload has no use here: a forward-only engine saves no activations.",
      fixes: setFix("Set enable_async_activation_offload to false", context, written.entry, "false"),
    },
  ];
}
