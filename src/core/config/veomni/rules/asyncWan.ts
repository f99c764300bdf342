import type { Finding } from "../../rules/rule.js";
import { switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, checkpointing } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
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

/** By the last segments of the model's path, as the file holds no class name. */
function isWan(context: TrainingContext): boolean {
  const paths = [textValueOf(context, "model.config_path"), textValueOf(context, "model.model_path")];
  return paths.some((path) => /(?:^|[/_-])wan(?:[\d._/-]|$)/i.test(path ?? ""));
}
