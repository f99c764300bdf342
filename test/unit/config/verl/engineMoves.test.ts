import { describe, expect, it } from "vitest";
import type { ComposedTrainer } from "../../../../src/core/config/verl/composedTree.js";
import { keepsValue, movedInto } from "../../../../src/core/config/verl/engineMoves.js";

describe("movedInto", () => {
  it.each<[ComposedTrainer, string, string | undefined]>([
    ["ppo", "actor_rollout_ref.actor.fsdp_config.param_offload", "actor_rollout_ref.actor.veomni.param_offload"],
    ["ppo", "critic.ulysses_sequence_parallel_size", "critic.veomni.ulysses_parallel_size"],
    ["ppo", "actor_rollout_ref.actor.grad_clip", "actor_rollout_ref.actor.optim.clip_grad"],
    ["ppo", "engine.param_offload", "actor_rollout_ref.actor.veomni.param_offload"],
    ["ppo", "engine.ulysses_sequence_parallel_size", "actor_rollout_ref.actor.veomni.ulysses_parallel_size"],
    ["ppo", "optim.lr", "actor_rollout_ref.actor.optim.lr"],
    ["ppo", "model.path", "actor_rollout_ref.model.path"],
    ["ppo", "actor_rollout_ref.actor.brand_new", undefined],
    ["ppo", "data.brand_new", undefined],
    ["sft", "model.partial_pretrain", "model.path"],
    ["sft", "data.micro_batch_size", "data.micro_batch_size_per_gpu"],
    ["sft", "use_remove_padding", "model.use_remove_padding"],
    ["sft", "ulysses_sequence_parallel_size", "engine.ulysses_parallel_size"],
    ["sft", "model.fsdp_config.cpu_offload", "engine.param_offload"],
    ["sft", "model.fsdp_config.forward_prefetch", "engine.forward_prefetch"],
    ["sft", "fsdp_config.param_offload", "engine.param_offload"],
    ["sft", "grad_clip", "optim.clip_grad"],
    ["sft", "actor_rollout_ref.actor.veomni.param_offload", "engine.param_offload"],
    ["sft", "actor_rollout_ref.actor.fsdp_config.optimizer_offload", "engine.optimizer_offload"],
    ["sft", "actor_rollout_ref.actor.ulysses_sequence_parallel_size", "engine.ulysses_parallel_size"],
    ["sft", "actor_rollout_ref.actor.optim.lr", "optim.lr"],
    ["sft", "actor_rollout_ref.actor.ppo_mini_batch_size", "data.train_batch_size"],
    ["sft", "actor_rollout_ref.actor.ppo_max_token_len_per_gpu", "data.max_token_len_per_gpu"],
    ["sft", "actor_rollout_ref.model.path", "model.path"],
    ["sft", "actor_rollout_ref.actor.use_kl_loss", undefined],
    ["sft", "critic.optim.lr", undefined],
    ["sft", "model.brand_new", undefined],
  ])("%s %s", (trainer, path, expected) => {
    expect(movedInto(trainer, path)).toBe(expected);
  });
});

describe("keepsValue", () => {
  it("is false for counts of all GPUs", () => {
    expect(keepsValue("data.micro_batch_size")).toBe(false);
    expect(keepsValue("ppo_micro_batch_size")).toBe(false);
    expect(keepsValue("data.micro_batch_size_per_gpu")).toBe(true);
  });
});
