import type { QuickFix } from "../../document/diagnostic.js";
import type { Finding } from "../../rules/rule.js";
import { switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** torch.compile without what it needs. */
export const compileNeeds: TrainingRule = {
  code: "compile-needs",
  severities: ["error"],
  explanation:
    "torch_compile.enable requires train.dyn_bsz and train.pad_to_length, FSDP2, text data (plaintext, conversation, classification or dpo) and no diffusion trainer.",
  example: trainingExample({ model: ["accelerator: {torch_compile: {enable: true}}"] }),
  check: findingFor,
};

const compiledData = ["plaintext", "conversation", "classification", "dpo"];

function findingFor(context: TrainingContext): readonly Finding[] {
  const compile = writtenOn(context, "train.torch_compile.enable");
  if (compile === undefined) return [];
  const missing = missingFor(context);
  if (missing.length === 0) return [];
  return [
    {
      span: compile.entry.span,
      severity: "error",
      message: `torch.compile needs ${missing.map((each) => each.need).join(", ")}; the run stops.`,
      fixes: [...missing.flatMap((each) => each.fixes), ...setKeyFix(context, "train.torch_compile.enable", "false")],
    },
  ];
}

interface Missing {
  readonly need: string;
  readonly fixes: readonly QuickFix[];
}

function missingFor(context: TrainingContext): readonly Missing[] {
  const missing: Missing[] = ["train.dyn_bsz", "train.pad_to_length"]
    .filter((name) => switchOf(context, name) === "off")
    .map((name) => ({ need: `${name} true`, fixes: setKeyFix(context, name, "true") }));
  const mode = textValueOf(context, "train.accelerator.fsdp_config.fsdp_mode");
  if (mode !== undefined && mode !== "fsdp2") missing.push({ need: "fsdp_mode fsdp2", fixes: [] });
  const data = textValueOf(context, "data.data_type");
  if (data !== undefined && !compiledData.includes(data)) missing.push({ need: "text data", fixes: [] });
  if (context.trainers.includes("DiT")) missing.push({ need: "another trainer than diffusion", fixes: [] });
  return missing;
}
