import type { Finding } from "../../rules/rule.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, checkpointing } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Stream-based offload without gradient checkpointing: allowed, but little or nothing moves. */
export const asyncWithoutCheckpointing: TrainingRule = {
  code: "async-without-gc",
  severities: ["information"],
  explanation:
    "Only the input tensor of a selected module moves. With gradient checkpointing that is what a layer saves; without it the other activations stay on the device.",
  example: trainingExample({
    model: [...offloadLines("enable_async_activation: true"), "  gradient_checkpointing: {enable: false}"],
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = placedKey(context, checkpointing);
  if (written === undefined || switchOf(context, checkpointing) !== "off") return [];
  if (writtenOn(context, asyncSwitch) === undefined) return [];
  return [
    {
      span: written.entry.span,
      severity: "information",
      message:
        "Without gradient checkpointing, stream-based offload moves layer inputs only; the other activations stay on the device.",
      fixes: setKeyFix(context, checkpointing, "true"),
    },
  ];
}
