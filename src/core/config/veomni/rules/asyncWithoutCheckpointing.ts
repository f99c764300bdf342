import type { MappingEntry } from "../../document/configNode.js";
import { asyncWithoutCheckpointingRule } from "../../rules/asyncWithoutCheckpointing.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, checkpointing } from "../offloadNames.js";
import { placedKey, type TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

export const asyncWithoutCheckpointing: TrainingRule = asyncWithoutCheckpointingRule({
  offload: "stream-based offload",
  explanation:
    "Only the input tensor of a selected module moves. With gradient checkpointing that is what a layer saves; without it the other activations stay on the device.",
  example: trainingExample({
    model: [...offloadLines("enable_async_activation: true"), "  gradient_checkpointing: {enable: false}"],
  }),
  offBesideOffload,
  turnOn: (context) => setKeyFix(context, checkpointing, "true"),
});

function offBesideOffload(context: TrainingContext): MappingEntry | undefined {
  if (switchOf(context, checkpointing) !== "off" || writtenOn(context, asyncSwitch) === undefined) return undefined;
  return placedKey(context, checkpointing)?.entry;
}
