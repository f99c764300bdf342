import type { Finding } from "../../rules/rule.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, checkpointing } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { trainingFamily } from "../trainingFamily.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Stream-based offload on a model whose checkpointing wraps its blocks from outside. */
export const asyncWan: TrainingRule = {
  code: "async-wan",
  severities: ["warning"],
  explanation:
    "The checkpoint of Wan wraps each block from outside, so the offload hooks lie inside it and gain nothing (VeOmni #1127).",
  example: trainingExample({
    model: ["config_path: configs/wan2.1", ...offloadLines("enable_async_activation: true")],
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = writtenOn(context, asyncSwitch);
  if (written === undefined || !isWan(context) || switchOf(context, checkpointing) === "off") return [];
  return [
    {
      span: written.entry.span,
      severity: "warning",
      message: "Wan gains nothing from stream-based offload: its checkpointing wraps the blocks from outside.",
      fixes: setKeyFix(context, asyncSwitch, "false"),
    },
  ];
}

function isWan(context: TrainingContext): boolean {
  return trainingFamily(context)?.family.family.name === "Wan";
}
