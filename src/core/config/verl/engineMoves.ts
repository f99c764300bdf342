import { type ComposedTrainer, composedEntry } from "./composedTree.js";
import { sftPathOf } from "./fields/verlHomes.js";

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

/** Keys of older SFT trainers. */
const SFT_RENAMED: ReadonlyMap<string, string> = new Map([
  ["data.micro_batch_size", "data.micro_batch_size_per_gpu"],
  ["model.partial_pretrain", "model.path"],
  ["model.fsdp_config.cpu_offload", "engine.param_offload"],
  ["model.fsdp_config.offload_params", "engine.param_offload"],
  ["use_remove_padding", "model.use_remove_padding"],
  ["ulysses_sequence_parallel_size", "engine.ulysses_parallel_size"],
]);

/**
 * Where a key of another engine or of the other trainer is in the VeOmni tree: `actor_rollout_ref.actor.fsdp_config.param_offload` is
 * `actor_rollout_ref.actor.veomni.param_offload`, for SFT `engine.param_offload`. Undefined when it has no counterpart. The tree decides;
 * nothing is named that it does not hold.
 */
export function movedInto(trainer: ComposedTrainer, path: string): string | undefined {
  const candidates = trainer === "sft" ? [...sftCandidates(path)] : [...ppoCandidates(path)];
  return candidates.find((each) => each !== path && composedEntry(trainer, each) !== undefined);
}

/** False for keys that count the samples of all GPUs, where their successors count those of one: the value cannot stay. */
export function keepsValue(path: string): boolean {
  return !/(?:^|\.)(?:ppo_)?micro_batch_size$/.test(path);
}

function* ppoCandidates(path: string): Iterable<string> {
  const [, role, rest] = /^(actor_rollout_ref\.(?:actor|ref)|critic)\.(.+)$/.exec(path) ?? [];
  if (role !== undefined && rest !== undefined) for (const each of namesOf(rest)) yield `${role}.${each}`;
  const [, place, key] = /^(engine|optim|model)\.(.+)$/.exec(path) ?? [];
  if (key === undefined) return;
  if (place === "engine") for (const each of namesOf(key)) yield `actor_rollout_ref.actor.${each}`;
  else yield place === "optim" ? `actor_rollout_ref.actor.optim.${key}` : `actor_rollout_ref.model.${key}`;
}

function* sftCandidates(path: string): Iterable<string> {
  const renamed = SFT_RENAMED.get(path);
  if (renamed !== undefined) yield renamed;
  const [, ofModel] = /^actor_rollout_ref\.(model\..+)$/.exec(path) ?? [];
  if (ofModel !== undefined) yield ofModel;
  const [, ofActor] = /^actor_rollout_ref\.actor\.(.+)$/.exec(path) ?? [];
  const rest = ofActor ?? path;
  if (ofActor !== undefined) yield sftPathOf(ofActor) ?? ofActor;
  for (const each of namesOf(rest)) yield each.replace(/^veomni\./, "engine.");
}

/** Below the block that holds it: a key of an engine's own block, or one with another name. */
function namesOf(rest: string): readonly string[] {
  const key = FOREIGN_BLOCKS.exec(rest)?.[1] ?? rest;
  return [RENAMED.get(key), `veomni.${key.replace(/^veomni\./, "")}`].filter((each) => each !== undefined);
}
