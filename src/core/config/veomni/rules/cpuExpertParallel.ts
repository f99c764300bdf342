import type { Finding } from "../../rules/rule.js";
import { numberOf, textValueOf } from "../effectiveValue.js";
import { olderLayouts } from "../layout.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Weights initialised on the CPU with expert parallelism. */
export const cpuExpertParallel: TrainingRule = {
  code: "cpu-expert-parallel",
  severities: ["error"],
  explanation: "Until VeOmni #1090, init_device cpu does not go with ep_size above 1; the newer layouts have no cpu.",
  example: trainingExample({
    pin: "train-scoped",
    train: ["init_device: cpu", "accelerator: {ep_size: 4, fsdp_config: {fsdp_mode: ddp}}"],
  }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const device = placedKey(context, "train.init_device");
  if (device === undefined || textValueOf(context, "train.init_device") !== "cpu") return [];
  if (!olderLayouts.includes(context.layout) || !((numberOf(context, "train.accelerator.ep_size") ?? 1) > 1)) return [];
  return [
    {
      span: device.entry.span,
      severity: "error",
      message: "init_device cpu does not go with ep_size above 1.",
      fixes: setKeyFix(context, "train.init_device", "meta"),
    },
  ];
}
