import type { Finding } from "../../rules/rule.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, checkpointing, reentrantSwitch, syncSwitch } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Activation offload with reentrant gradient checkpointing. */
export const reentrant: TrainingRule = {
  code: "reentrant",
  severities: ["warning"],
  explanation:
    "Reentrant checkpointing runs a layer without recording autograd, so the pack hook never sees its activations. Keep enable_reentrant false with offload.",
  example: trainingExample({
    model: [...offloadLines("enable_async_activation: true"), "  gradient_checkpointing: {enable_reentrant: true}"],
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = writtenOn(context, reentrantSwitch);
  const offload = writtenOn(context, asyncSwitch) ?? writtenOn(context, syncSwitch);
  if (written === undefined || offload === undefined || switchOf(context, checkpointing) === "off") return [];
  return [
    {
      span: written.entry.span,
      severity: "warning",
      message:
        "With reentrant gradient checkpointing the offload hooks do not see the activations; keep enable_reentrant false.",
      fixes: setKeyFix(context, reentrantSwitch, "false"),
    },
  ];
}
