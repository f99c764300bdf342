import { shownWord } from "../../../base/shownWord.js";
import { asMapping } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import { lengthOf, numberOf, switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import { asyncSwitch, syncSwitch } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** The padding-free mode of the diffusion trainer beside something that it excludes. */
export const removePaddingNeeds: TrainingRule = {
  code: "remove-padding-needs",
  severities: ["error"],
  explanation:
    "model.use_remove_padding needs FSDP2 and drop_last, and goes with no other parallelism, no torch.compile, no FSDP offload, no activation offload and no LoRA.",
  example: trainingExample({
    model: ["use_remove_padding: true", ...offloadLines("enable_async_activation: true")],
    train: ["training_task: online_training"],
  }),
  check: findingFor,
};

const sizes = ["ulysses_size", "cp_size", "tp_size", "pp_size"].map((name) => `train.accelerator.${name}`);
const switches = [syncSwitch, asyncSwitch, "train.torch_compile.enable", "train.accelerator.fsdp_config.offload"];

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = writtenOn(context, "model.use_remove_padding");
  if (written === undefined) return [];
  const conflicts = conflictsIn(context);
  if (conflicts.length === 0) return [];
  return [
    {
      span: written.entry.span,
      severity: "error",
      message: `use_remove_padding does not go together with ${conflicts.join(", ")}.`,
      fixes: setKeyFix(context, "model.use_remove_padding", "false"),
    },
  ];
}

function conflictsIn(context: TrainingContext): readonly string[] {
  const mode = textValueOf(context, "train.accelerator.fsdp_config.fsdp_mode");
  const lora = asMapping(placedKey(context, "model.lora_config")?.entry.value);
  return [
    ...switches.filter((name) => switchOf(context, name) === "on").map(lastSegments),
    ...sizes.filter((name) => (numberOf(context, name) ?? 1) > 1).map(lastSegments),
    ...(mode === undefined || mode === "fsdp2" ? [] : [`fsdp_mode ${shownWord(mode, 40)}`]),
    ...(switchOf(context, "data.dataloader.drop_last") === "off" ? ["drop_last false"] : []),
    ...((lengthOf(context, "train.accelerator.extra_parallel_names") ?? 0) > 0 ? ["extra_parallel_names"] : []),
    ...(lora !== undefined && lora.entries.length > 0 ? ["lora_config"] : []),
  ];
}

function lastSegments(name: string): string {
  return name.split(".").slice(-2).join(".");
}
