import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** FSDP2 with weights that are not initialised on the meta device. */
export const fsdp2Meta: TrainingRule = {
  code: "fsdp2-meta",
  severities: ["error"],
  explanation: "fsdp_mode fsdp2, the default, requires init_device meta.",
  example: trainingExample({ model: ["accelerator: {init_device: cuda}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const device = placedKey(context, "train.init_device");
  const name = textValueOf(context, "train.init_device");
  if (device === undefined || name === undefined || name === "meta") return [];
  if (textValueOf(context, "train.accelerator.fsdp_config.fsdp_mode") !== "fsdp2" || isOpenInFlat(context)) return [];
  return [
    {
      span: device.entry.span,
      severity: "error",
      message: `FSDP2 requires init_device meta; with ${name.slice(0, 40)} the run stops.`,
      fixes: setKeyFix(context, "train.init_device", "meta"),
    },
  ];
}

/** The flat layout had another default mode, so only a written one counts. */
function isOpenInFlat(context: TrainingContext): boolean {
  return context.layout === "flat" && placedKey(context, "train.accelerator.fsdp_config.fsdp_mode") === undefined;
}
