import type { MappingEntry } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { switchStateOf } from "../../document/switchState.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf, runsForwardOnly } from "../offloadSwitch.js";
import { modelSwitch } from "./modelSwitch.js";
import { putFix, setFix } from "./switchFixes.js";

/** Stream-based and synchronous activation offload exclude each other. */
export const asyncVersusSync: BlockRule = {
  code: "async-vs-sync",
  severities: ["error"],
  explanation:
    "model.enable_activation_offload is the synchronous offload of the FSDP engines. VeOmni raises ValueError when both modes are on, and since verl #7724 the VeOmni engine rejects the synchronous switch in any case.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    enable_activation_offload: true",
    "  actor:",
    "    veomni:",
    "      enable_async_activation_offload: true",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const sync = modelSwitch(context, "enable_activation_offload");
  if (sync === undefined || switchStateOf(sync) !== "on") return [];
  const together =
    asyncSwitchOf(context.block) === "on"
      ? "It must not be combined with enable_async_activation_offload; the VeOmni engine rejects it."
      : "The VeOmni engine rejects it; its own switch is enable_async_activation_offload.";
  return [
    {
      span: { start: sync.keySpan.start, end: sync.span.end },
      severity: "error",
      message: `enable_activation_offload is the synchronous offload of the FSDP engines. ${together}`,
      fixes: [
        ...insteadFix(context, sync),
        ...setFix("Set enable_activation_offload to false", context, sync, "false"),
      ],
    },
  ];
}

/** Offload stays on, in the mode that this engine has. */
function insteadFix(context: BlockContext, sync: MappingEntry): readonly QuickFix[] {
  if (asyncSwitchOf(context.block) === "on" || runsForwardOnly(context.block)) return [];
  const key = "enable_async_activation_offload";
  const [off] = setFix("", context, sync, "false");
  const [on] = putFix("", context, context.block.mapping, key, "true");
  if (off === undefined || on === undefined) return [];
  return [{ title: `Turn on ${key} instead`, edits: [...off.edits, ...on.edits] }];
}
