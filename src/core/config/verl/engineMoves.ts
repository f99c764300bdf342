import { type ComposedTrainer, composedEntry } from "./composedTree.js";

/** Blocks of other engines, whose switches are in `veomni` here. */
const FOREIGN_BLOCKS = /^(?:model\.)?(?:fsdp_config|megatron|torchtitan|automodel)\.(.+)$/;

/** Keys of other engines with another name, relative to the block that holds them. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["ulysses_sequence_parallel_size", "veomni.ulysses_parallel_size"],
  ["context_parallel_size", "veomni.ulysses_parallel_size"],
  ["expert_model_parallel_size", "veomni.expert_parallel_size"],
  ["expert_parallel_size", "veomni.expert_parallel_size"],
  ["data_parallel_shard_size", "veomni.fsdp_size"],
  ["fully_shard_parallel_size", "veomni.fsdp_size"],
  ["offload_policy", "veomni.enable_fsdp_offload"],
  ["reshard_after_forward", "veomni.enable_full_shard"],
  ["grad_clip", "optim.clip_grad"],
]);

/**
 * Where a key of another engine is in the VeOmni tree: `actor_rollout_ref.actor.fsdp_config.param_offload` is
 * `actor_rollout_ref.actor.veomni.param_offload`. Undefined when it has no counterpart. The tree decides; nothing is named that it
 * does not hold.
 */
export function movedInto(trainer: ComposedTrainer, path: string): string | undefined {
  const [, role, rest] = /^(actor_rollout_ref\.(?:actor|ref)|critic)\.(.+)$/.exec(path) ?? [];
  if (trainer === "sft" || role === undefined || rest === undefined) return undefined;
  const key = FOREIGN_BLOCKS.exec(rest)?.[1] ?? rest;
  const candidates = [RENAMED.get(key), `veomni.${key}`].filter((each) => each !== undefined);
  return candidates.map((each) => `${role}.${each}`).find((each) => composedEntry(trainer, each) !== undefined);
}
