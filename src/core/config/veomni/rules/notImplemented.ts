import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import { modelLayouts } from "../layout.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A value that VeOmni declares but does not implement. */
export const notImplemented: TrainingRule = {
  code: "not-implemented",
  severities: ["error"],
  explanation: "grad_clip_scope global and fsdp_mode eager are reserved: VeOmni raises NotImplementedError.",
  example: trainingExample({ model: ["optimizer: {grad_clip_scope: global}"] }),
  check: findingFor,
};

const reserved = [
  { name: "model.optimizer.grad_clip_scope", value: "global", instead: "per_module" },
  { name: "train.accelerator.fsdp_config.fsdp_mode", value: "eager", instead: "fsdp2" },
] as const;

function findingFor(context: TrainingContext): readonly Finding[] {
  if (!modelLayouts.includes(context.layout)) return [];
  return reserved.flatMap(({ name, value, instead }) => {
    const written = placedKey(context, name);
    if (written === undefined || textValueOf(context, name) !== value) return [];
    return [
      {
        span: written.entry.value.span,
        severity: "error",
        message: `${written.entry.key} ${value} is reserved: VeOmni raises NotImplementedError.`,
        fixes: setKeyFix(context, name, instead),
      },
    ];
  });
}
