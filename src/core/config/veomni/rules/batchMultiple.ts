import type { Finding } from "../../rules/rule.js";
import { numberOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A global batch that micro-batches cannot make up. */
export const batchMultiple: TrainingRule = {
  code: "batch-multiple",
  severities: ["error"],
  explanation:
    "global_batch_size must be a multiple of micro_batch_size times the data-parallel size (ValueError); null turns accumulation off.",
  example: trainingExample(
    { train: ["micro_batch_size: 4", "global_batch_size: 6"] },
    { train: ["micro_batch_size: 4", "global_batch_size: 8"] },
  ),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = placedKey(context, "train.global_batch_size");
  const total = numberOf(context, "train.global_batch_size");
  const micro = numberOf(context, "train.micro_batch_size");
  if (written === undefined || total === undefined || micro === undefined || !(micro > 0)) return [];
  const ranks = [
    numberOf(context, "train.accelerator.dp_replicate_size"),
    numberOf(context, "train.accelerator.dp_shard_size"),
  ];
  const known = ranks.reduce<number>((product, size) => (size !== undefined && size > 1 ? product * size : product), 1);
  // out-of-range says what 0 does.
  if (total === 0 || total % (micro * known) === 0) return [];
  const factor =
    known > 1
      ? `micro_batch_size (${micro}) times the data-parallel size (at least ${known})`
      : `micro_batch_size (${micro})`;
  return [
    {
      span: written.entry.value.span,
      severity: "error",
      message: `global_batch_size must be a multiple of ${factor}: VeOmni raises ValueError.`,
    },
  ];
}
