import { switchStateOf } from "../../document/switchState.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** Manual offload of weights or optimizer state beside FSDP2's own. */
export const fsdpOffloadDouble: BlockRule = {
  code: "fsdp-offload-double",
  severities: ["warning"],
  explanation:
    "With enable_fsdp_offload FSDP2 owns the placement of parameters, gradients and optimizer state. Loading and saving then skip the manual moves of param_offload and optimizer_offload (verl #7103).",
  example: engineExample("enable_fsdp_offload: true", "param_offload: true"),
  check: (context) => {
    const fsdp = writtenField(context.block, "enable_fsdp_offload");
    if (fsdp === undefined || switchStateOf(fsdp.entry) !== "on") return [];
    return ["param_offload", "optimizer_offload"].flatMap((key) => findingFor(context, key));
  },
};

function findingFor(context: BlockContext, key: string): readonly Finding[] {
  const written = writtenField(context.block, key);
  if (written === undefined || switchStateOf(written.entry) !== "on") return [];
  return [
    {
      span: written.entry.span,
      severity: "warning",
      message: `${key} does nothing of its own beside enable_fsdp_offload, which already keeps that state in host memory.`,
      fixes: setFix(`Set ${key} to false`, context, written.entry, "false"),
    },
  ];
}
