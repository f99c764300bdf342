import { entryOf, type MappingEntry } from "../../document/configNode.js";
import { switchStateOf } from "../../document/switchState.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { modelSwitch } from "./modelSwitch.js";
import { paddingKept } from "./replayPadding.js";
import { setFix } from "./switchFixes.js";

/** Switches that only count on packed inputs. */
export const needsRemovePadding: BlockRule = {
  code: "needs-remove-padding",
  severities: ["warning"],
  explanation:
    "pad_to_length and use_fused_kernels work on packed inputs. While use_remove_padding is false, fused kernels stay unused, and pad_to_length is documented to need it.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    use_remove_padding: false",
    "    use_fused_kernels: true",
    "  actor:",
    "    veomni:",
    "      seed: 42",
  ),
  check: (context) => {
    const padding = paddingKept(context);
    return padding === undefined ? [] : dependants(context).map((entry) => findingFor(context, entry, padding));
  },
};

function dependants(context: BlockContext): readonly MappingEntry[] {
  const { block } = context;
  return [
    modelSwitch(context, "use_fused_kernels"),
    entryOf(block.mapping, "pad_to_length"),
    block.role === "sft" ? undefined : entryOf(block.parent, "pad_to_length"),
  ].filter((entry) => entry !== undefined && switchStateOf(entry) === "on") as MappingEntry[];
}

function findingFor(context: BlockContext, entry: MappingEntry, padding: MappingEntry): Finding {
  return {
    span: entry.span,
    severity: "warning",
    message: `${entry.key} needs use_remove_padding: true, which is false here.`,
    fixes: setFix("Set use_remove_padding to true", context, padding, "true"),
  };
}
