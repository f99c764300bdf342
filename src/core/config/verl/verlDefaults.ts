import { verlEngineTable } from "./fields/verlEngine.js";
import type { VerlPlaces } from "./roleKeys.js";

/*
 * What a workload rests on where the configuration does not say it: verl's YAML of the recorded releases (`composedTree.ts`), and for the
 * few keys that no YAML has the dataclass.
 */

type Value = number | boolean | string;

/** The trainer of reinforcement learning, alike in both recorded releases. */
export const ppoDefaults: readonly (readonly [string, Value])[] = [
  ["trainer.nnodes", 1],
  ["trainer.n_gpus_per_node", 8],
  ["data.max_prompt_length", 512],
  ["data.max_response_length", 512],
  ["actor_rollout_ref.rollout.n", 1],
  ["actor_rollout_ref.actor.use_dynamic_bsz", false],
  ["actor_rollout_ref.actor.ppo_mini_batch_size", 256],
  ["actor_rollout_ref.actor.ppo_max_token_len_per_gpu", 16_384],
];

/** The trainer of supervised fine-tuning. Its ranks are the launcher's, so the defaults of `trainer` say nothing. */
const sft: readonly (readonly [string, Value])[] = [
  ["data.train_batch_size", 256],
  ["data.micro_batch_size_per_gpu", 4],
  ["data.max_token_len_per_gpu", 8_192],
  ["data.use_dynamic_bsz", true],
  ["data.max_length", 1_024],
  ["optim.optimizer", "adamw"],
];

const ofModel: readonly (readonly [string, Value])[] = [
  ["enable_gradient_checkpointing", true],
  ["use_remove_padding", true],
  ["use_fused_kernels", false],
  ["fused_kernel_options.impl_backend", "torch"],
  ["lora_rank", 0],
];

const ofRole: readonly (readonly [string, Value])[] = [
  ["calculate_entropy", false],
  ["entropy_coeff", 0],
  ["optim.optimizer", "adamw"],
];

/** The critic takes twice the actor's budget. */
const ofCritic: readonly (readonly [string, Value])[] = [["ppo_max_token_len_per_gpu", 32_768]];

/** Those that a workload asks for; their values stand in the table of the engine's keys. */
const ofVeomni: readonly (readonly [string, Value])[] = [
  "ulysses_parallel_size",
  "expert_parallel_size",
  "mixed_precision",
  "use_torch_compile",
  "entropy_from_logits_with_chunking",
  "entropy_from_logits_chunk_size",
  "entropy_checkpointing",
  "full_determinism",
  "cross_entropy_loss_implementation",
  "pad_to_length",
  "pad_to_length_bucket",
].flatMap((key) => {
  const field = verlEngineTable.field(key);
  const value = field?.yamlDefault ?? field?.dataclassDefault;
  return isValue(value) ? [[key, value] as const] : [];
});

const ofFsdp: readonly (readonly [string, Value])[] = [
  ["ulysses_sequence_parallel_size", 1],
  ["expert_parallel_size", 1],
  ["model_dtype", "fp32"],
  ["use_torch_compile", true],
  ["entropy_from_logits_with_chunking", false],
  ["entropy_from_logits_chunk_size", 2_048],
  ["entropy_checkpointing", false],
  ["full_determinism", false],
  ["pad_to_length", false],
  ["pad_to_length_bucket", 1_024],
];

/** By dotted key. */
export function verlDefaults(places: VerlPlaces): ReadonlyMap<string, Value> {
  const { role, engine, rolePath, blockPath, modelPath } = places;
  const below = (path: string, all: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] =>
    all.map(([key, value]) => [path === "" ? key : `${path}.${key}`, value]);
  return new Map([
    ...(role === "sft" ? sft : ppoDefaults),
    ...(role === "sft" ? [] : below(rolePath, ofRole)),
    ...(role === "critic" ? below(rolePath, ofCritic) : []),
    ...below(blockPath, engine === "veomni" ? ofVeomni : ofFsdp),
    ...below(modelPath, ofModel),
  ]);
}

function isValue(value: unknown): value is Value {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string";
}
