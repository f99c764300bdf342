import { likelyOf } from "../config/document/jobWorkload.js";
import type { RoleKeys } from "../config/verl/roleKeys.js";
import { type LeverKey, neighbours } from "./leverKey.js";

const BOTH = [true, false] as const;

/**
 * Keys of a role of verl. A file of the engine's block alone has those of the block: where it is used is another file's matter. What
 * would change the training itself (the coefficient of the entropy, the type of the masters, lengths of the data) is not among them.
 */
export function verlLevers(reader: RoleKeys): readonly LeverKey[] {
  const { places } = reader;
  const ofBlock = reader.isVeomni ? veomniBlock(reader) : [];
  if (places.role === "unknown") return [...ofBlock, ...resident(reader)];
  const isRoleFile = places.rolePath === "" && !reader.isSft;
  const all = [
    ...ofBlock,
    { key: reader.model("enable_gradient_checkpointing"), values: BOTH },
    ...batch(reader),
    ...head(reader),
    ...optimizer(reader),
    ...ranks(reader),
    ...resident(reader),
  ];
  return isRoleFile ? all.filter(({ key }) => !OTHER_FILES.test(key)) : all;
}

/** Sections that no file of a role has. */
const OTHER_FILES = /^(?:model|trainer|data)\./;

function veomniBlock(reader: RoleKeys): readonly LeverKey[] {
  return [{ key: reader.block("enable_async_activation_offload"), values: BOTH }];
}

/** Which of the sizes decides is the job's matter: the others change nothing, and are no levers. */
function batch(reader: RoleKeys): readonly LeverKey[] {
  const { keys, places, isSft } = reader;
  const budget = isSft
    ? "data.max_token_len_per_gpu"
    : reader.role(places.role === "ref" ? "log_prob_max_token_len_per_gpu" : "ppo_max_token_len_per_gpu");
  const samples = isSft
    ? "data.micro_batch_size_per_gpu"
    : reader.role(places.role === "ref" ? "log_prob_micro_batch_size_per_gpu" : "ppo_micro_batch_size_per_gpu");
  const parallel = reader.block(reader.isVeomni ? "ulysses_parallel_size" : "ulysses_sequence_parallel_size");
  const shared = likelyOf(keys.count(parallel)) ?? 1;
  return [
    { key: budget, values: neighbours(likelyOf(keys.count(budget)), leastBudget(reader, shared)) },
    ...(keys.isWritten(samples) ? [{ key: samples, values: neighbours(likelyOf(keys.count(samples)), 1) }] : []),
    { key: parallel, values: neighbours(shared) },
  ];
}

/** verl asserts that the longest sequence fits. */
function leastBudget({ keys, isSft }: RoleKeys, shared: number): number | undefined {
  if (isSft) {
    const longest = likelyOf(keys.count("data.max_length"));
    return longest === undefined ? undefined : Math.ceil(longest / shared);
  }
  const prompt = likelyOf(keys.count("data.max_prompt_length"));
  const response = likelyOf(keys.count("data.max_response_length"));
  return prompt === undefined || response === undefined ? undefined : Math.ceil((prompt + response) / shared);
}

function head(reader: RoleKeys): readonly LeverKey[] {
  const { keys } = reader;
  const chunk = reader.block("entropy_from_logits_chunk_size");
  const rows = likelyOf(keys.count(chunk));
  return [
    { key: reader.block("entropy_from_logits_with_chunking"), values: BOTH, isOfHead: true },
    { key: reader.block("entropy_checkpointing"), values: BOTH, isOfHead: true },
    { key: reader.block("use_torch_compile"), values: BOTH },
    {
      key: chunk,
      values: rows === undefined ? [] : [Math.floor(rows / 2), Math.floor(rows / 4)].filter((n) => n >= 1),
    },
    { key: reader.model("use_fused_kernels"), values: BOTH, isOfHead: true },
    ...(reader.isVeomni
      ? [{ key: reader.block("cross_entropy_loss_implementation"), values: ["chunk_loss", "liger_kernel", "eager"] }]
      : [{ key: reader.model("fused_kernel_options.impl_backend"), values: ["torch", "triton"] }]),
    ...uselessEntropy(reader),
  ];
}

/** With a coefficient of 0 the entropy is figures for the log only; with another one it is a part of the loss. */
function uselessEntropy(reader: RoleKeys): readonly LeverKey[] {
  if (reader.places.role !== "actor") return [];
  const weight = reader.keys.number(reader.role("entropy_coeff"));
  return likelyOf(weight) === 0 ? [{ key: reader.role("calculate_entropy"), values: [false] }] : [];
}

function optimizer(reader: RoleKeys): readonly LeverKey[] {
  if (reader.places.role === "ref" || reader.isVeomni) return [];
  return [{ key: `${reader.isSft ? "optim" : reader.role("optim")}.override_optimizer_config.fused`, values: [true] }];
}

/** Nodes come whole. The launcher decides the ranks of the trainer for supervised fine-tuning. */
function ranks({ keys, isSft }: RoleKeys): readonly LeverKey[] {
  if (isSft) return [];
  const nodes = likelyOf(keys.count("trainer.nnodes"));
  const perNode = likelyOf(keys.count("trainer.n_gpus_per_node"));
  return [
    ...(nodes === undefined ? [] : [{ key: "trainer.nnodes", values: [nodes * 2] }]),
    ...(perNode === undefined || perNode >= 8 ? [] : [{ key: "trainer.n_gpus_per_node", values: [perNode * 2] }]),
  ];
}

/** Both make room between the phases of reinforcement learning; while a step runs everything is on the device. */
function resident(reader: RoleKeys): readonly LeverKey[] {
  return ["param_offload", "optimizer_offload"].map((name) => {
    const key = reader.block(name);
    return { key, values: [likelyOf(reader.keys.flag(key)) !== true], isNoLever: true };
  });
}
