import type { Finding } from "../../rules/rule.js";
import { writtenOn } from "../effectiveValue.js";
import { asyncSwitch } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Stream-based offload with torch.compile. */
export const asyncCompile: TrainingRule = {
  code: "async-compile",
  severities: ["warning"],
  explanation: "The hooks of stream-based offload are documented as not meant to be captured by torch.compile.",
  example: trainingExample({
    model: [...offloadLines("enable_async_activation: true"), "  torch_compile: {enable: true}"],
    train: ["pad_to_length: true"],
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const compile = writtenOn(context, "train.torch_compile.enable");
  if (compile === undefined || writtenOn(context, asyncSwitch) === undefined) return [];
  return [
    {
      span: compile.entry.span,
      severity: "warning",
      message: "Stream-based activation offload is not meant for torch.compile.",
      fixes: [
        ...setKeyFix(context, "train.torch_compile.enable", "false"),
        ...setKeyFix(context, asyncSwitch, "false"),
      ],
    },
  ];
}
