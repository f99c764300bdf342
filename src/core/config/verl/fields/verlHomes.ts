import type { EngineBlock } from "../engineBlock.js";

/** Where a key belongs that people write into the engine block. */
export interface KeyHome {
  readonly place: "model" | "role" | "optim" | "data" | "trainer" | "rl";
  /** The name that it has there. In `rl` it is a key that only reinforcement learning has, so that an SFT run has no place for it. */
  readonly key: string;
}

const inModel = ["enable_gradient_checkpointing", "path", "use_shm", "trust_remote_code", "lora_rank", "lora_alpha"];
const inRole = [
  "ppo_mini_batch_size",
  "ppo_micro_batch_size",
  "ppo_micro_batch_size_per_gpu",
  "ppo_max_token_len_per_gpu",
  "ppo_epochs",
  "log_prob_micro_batch_size_per_gpu",
  "log_prob_max_token_len_per_gpu",
  "log_prob_use_dynamic_bsz",
  "use_kl_loss",
  "clip_ratio",
  "entropy_coeff",
];
const inOptim = [
  "lr",
  "lr_min",
  "lr_start",
  "lr_warmup_steps",
  "lr_warmup_steps_ratio",
  "lr_decay_ratio",
  "lr_scheduler_type",
  "weight_decay",
  "betas",
  "clip_grad",
  "total_training_steps",
];

const homes: ReadonlyMap<string, KeyHome> = new Map<string, KeyHome>([
  ...inModel.map((key) => [key, { place: "model", key }] as const),
  ...inRole.map((key) => [key, { place: "role", key }] as const),
  ...inOptim.map((key) => [key, { place: "optim", key }] as const),
]);

/** The SFT trainer has no policy: what it says about batches is in `data`. */
const sftHomes: ReadonlyMap<string, KeyHome> = new Map<string, KeyHome>([
  ...inRole.map((key) => [key, { place: "rl", key }] as const),
  ["ppo_mini_batch_size", { place: "data", key: "train_batch_size" }],
  ["ppo_micro_batch_size", { place: "data", key: "micro_batch_size_per_gpu" }],
  ["ppo_micro_batch_size_per_gpu", { place: "data", key: "micro_batch_size_per_gpu" }],
  ["ppo_max_token_len_per_gpu", { place: "data", key: "max_token_len_per_gpu" }],
  ["ppo_epochs", { place: "trainer", key: "total_epochs" }],
  ...["train_batch_size", "train_files", "val_files", "max_length", "truncation", "pad_mode", "messages_key"].map(
    (key) => [key, { place: "data", key }] as const,
  ),
  ...["total_epochs", "save_freq", "test_freq", "nnodes", "n_gpus_per_node"].map(
    (key) => [key, { place: "trainer", key }] as const,
  ),
]);

/** The home of a key that the engine block does not have; `undefined` for keys that nobody knows, and in other blocks. */
export function homeOf(block: EngineBlock, key: string): KeyHome | undefined {
  if (block.table !== undefined) return undefined;
  return (block.role === "sft" ? sftHomes.get(key) : undefined) ?? homes.get(key);
}

/** Where the SFT trainer has what reinforcement learning sets in the policy: `data.train_batch_size` for `ppo_mini_batch_size`. */
export function sftPathOf(policyKey: string): string | undefined {
  const home = sftHomes.get(policyKey);
  return home === undefined || home.place === "rl" ? undefined : `${home.place}.${home.key}`;
}

/**
 * Engine keys that the role above the block (`actor`, `critic`) does not have, so that they stand one level too high there. Keys
 * that both levels know (`use_dynamic_bsz`, `pad_to_length`, `strategy`, entropy switches) are not among them.
 */
export const engineOnlyKeys: ReadonlySet<string> = new Set([
  "enable_async_activation_offload",
  "activation_offload_modules",
  "activation_offload_host_cache_limit_gb",
  "activation_gpu_limit",
  "param_offload",
  "optimizer_offload",
  "fsdp_size",
  "ulysses_parallel_size",
  "expert_parallel_size",
  "mixed_precision",
  "init_device",
  "enable_full_shard",
  "enable_fsdp_offload",
  "enable_reentrant",
  "ckpt_manager",
  "forward_prefetch",
  "basic_modules",
  "attn_implementation",
  "moe_implementation",
  "cross_entropy_loss_implementation",
  "rms_norm_implementation",
  "swiglu_mlp_implementation",
  "rotary_pos_emb_implementation",
]);

/** Engine keys that nothing else could mean, looked for beside `model`'s own keys too. */
export const offloadKeys: ReadonlySet<string> = new Set([
  "enable_async_activation_offload",
  "activation_offload_modules",
  "activation_offload_host_cache_limit_gb",
  "activation_gpu_limit",
]);

/** Keys of the block that the worker overwrites at start-up, with their source: above the block in the role, or in `model`. */
export const overwrittenFrom: ReadonlyMap<string, KeyHome> = new Map([
  ["use_dynamic_bsz", { place: "role", key: "use_dynamic_bsz" }],
  ["max_token_len_per_gpu", { place: "role", key: "ppo_max_token_len_per_gpu" }],
  ["micro_batch_size_per_gpu", { place: "role", key: "ppo_micro_batch_size_per_gpu" }],
  ["use_remove_padding", { place: "model", key: "use_remove_padding" }],
  ["use_fused_kernels", { place: "model", key: "use_fused_kernels" }],
]);

/** Keys that the reference policy does not take over from the actor's block. */
export const refNotFollowingKeys: readonly string[] = [
  "mixed_precision",
  "init_device",
  "enable_fsdp_offload",
  "basic_modules",
  "rms_norm_gated_implementation",
  "causal_conv1d_implementation",
  "chunk_gated_delta_rule_implementation",
  "dsa_indexer_implementation",
  "dsa_attention_implementation",
  "mhc_implementation",
];
