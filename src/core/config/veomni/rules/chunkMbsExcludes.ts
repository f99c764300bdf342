import type { Finding } from "../../rules/rule.js";
import { numberOf, switchOf, textValueOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** ChunkMBS beside something that it excludes. */
export const chunkMbsExcludes: TrainingRule = {
  code: "chunk-mbs-excludes",
  severities: ["error"],
  explanation:
    "chunk_mbs_config goes neither with pad_to_length, torch_compile, dpo data, reentrant checkpointing, nor with sequence, tensor or pipeline parallelism or MoE.",
  example: trainingExample({ pin: "train-scoped", train: ["pad_to_length: true", "chunk_mbs_config: {enable: true}"] }),
  check: findingFor,
};

const switches = ["train.pad_to_length", "train.torch_compile.enable", "train.gradient_checkpointing.enable_reentrant"];
const sizes = ["ulysses_size", "cp_size", "tp_size", "pp_size", "ep_size"].map((name) => `train.accelerator.${name}`);

function findingFor(context: TrainingContext): readonly Finding[] {
  const chunks = writtenOn(context, "train.chunk_mbs_config.enable");
  if (chunks === undefined) return [];
  const conflicts = [
    ...switches.filter((name) => switchOf(context, name) === "on"),
    ...sizes.filter((name) => (numberOf(context, name) ?? 1) > 1),
    ...(textValueOf(context, "data.data_type") === "dpo" ? ["data_type dpo"] : []),
  ];
  if (conflicts.length === 0) return [];
  return [
    {
      span: chunks.entry.span,
      severity: "error",
      message: `ChunkMBS does not go together with ${conflicts.join(", ")}.`,
      fixes: setKeyFix(context, "train.chunk_mbs_config.enable", "false"),
    },
  ];
}
