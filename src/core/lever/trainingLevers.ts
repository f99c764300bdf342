import { scalarOf } from "../config/document/configNode.js";
import { asyncSwitch, checkpointing } from "../config/veomni/offloadNames.js";
import { pathOf, placedKey, type TrainingContext } from "../config/veomni/trainingContext.js";
import type { KeyValue } from "../config/write/keyEdit.js";
import { type LeverKey, neighbours } from "./leverKey.js";

const BOTH = [true, false] as const;

/** Keys of VeOmni's own trainers, by the names of their rows; a layout that lacks one has no such lever. */
export function trainingLevers(context: TrainingContext): readonly LeverKey[] {
  const rows: readonly (readonly [name: string, values: readonly KeyValue[]])[] = [
    [asyncSwitch, BOTH],
    [checkpointing, BOTH],
    ["model.ops_implementation.cross_entropy_loss_implementation", ["chunk_loss", "liger_kernel", "eager"]],
    ...batch(context),
  ];
  return rows.flatMap(([name, values]) => {
    const key = pathOf(context, name);
    return key === undefined ? [] : [{ key, values }];
  });
}

/**
 * Without a global batch a larger micro-batch or more ranks would change the training: then both stay. `max_seq_len` cuts sequences, so
 * it is none of these.
 */
function batch(context: TrainingContext): readonly (readonly [string, readonly KeyValue[]])[] {
  if (countAt(context, "train.global_batch_size") === undefined) return [];
  const microBatch = countAt(context, "train.micro_batch_size") ?? 1;
  const shards = countAt(context, "train.accelerator.dp_shard_size");
  return [
    ["train.micro_batch_size", neighbours(microBatch, 1)],
    ...(shards === undefined ? [] : [["train.accelerator.dp_shard_size", [shards * 2]] as const]),
  ];
}

function countAt(context: TrainingContext, name: string): number | undefined {
  const value = scalarOf(placedKey(context, name)?.entry.value);
  return value?.type === "int" && value.value >= 1 && Number.isSafeInteger(value.value) ? value.value : undefined;
}
