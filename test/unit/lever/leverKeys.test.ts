import { describe, expect, it } from "vitest";
import { jobKeys } from "../../../src/core/config/jobKeys.js";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { neighbours } from "../../../src/core/lever/leverKey.js";
import { leverKeys } from "../../../src/core/lever/leverKeys.js";
import { jobText } from "../config/jobs.js";

/** `key: values` of a block. */
function table(path: string, text: string, place = 0): Readonly<Record<string, readonly unknown[]>> {
  const read = readConfig(path, text);
  const block = read && settingsOf(read)[place];
  const keys = read && block && jobKeys(read, block);
  if (keys === undefined) throw new Error("no block");
  return Object.fromEntries(leverKeys(keys).map(({ key, values }) => [key, values]));
}

describe("the keys of a block", () => {
  it("of verl's actor: sizes from the file, budgets not below the longest sequence", () => {
    const keys = table("dynamic.yaml", jobText("dynamic.yaml"));
    expect(keys["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"]).toEqual([8192, 4096, 32_768]);
    expect(keys["actor_rollout_ref.actor.veomni.ulysses_parallel_size"]).toEqual([1, 4]);
    expect(keys["trainer.nnodes"]).toEqual([4]);
    // Eight GPUs are a whole node.
    expect(keys).not.toHaveProperty("trainer.n_gpus_per_node");
    expect(keys["actor_rollout_ref.actor.veomni.param_offload"]).toEqual([true]);
  });

  it("of verl's actor: the entropy is dropped only where the loss does not use it", () => {
    const key = "actor_rollout_ref.actor.calculate_entropy";
    expect(table("dynamic.yaml", jobText("dynamic.yaml"))).not.toHaveProperty(key);
    expect(table("buckets.yaml", jobText("buckets.yaml"))[key]).toEqual([false]);
  });

  it("of the reference: its own sizes", () => {
    const keys = table("dynamic.yaml", jobText("dynamic.yaml"), 1);
    expect(keys).not.toHaveProperty("actor_rollout_ref.actor.ppo_max_token_len_per_gpu");
    expect(keys["actor_rollout_ref.ref.veomni.param_offload"]).toEqual([false]);
  });

  it("of the file of a role and of an engine: none that stands in other files", () => {
    const role = "_target_: verl.workers.config.VeOmniActorConfig\nveomni: {enable_async_activation_offload: true}\n";
    const ofRole = Object.keys(table("actor/veomni_actor.yaml", role));
    expect(ofRole).toContain("veomni.entropy_checkpointing");
    expect(ofRole.filter((key) => /^(?:model|trainer|data)\./.test(key))).toEqual([]);
    const engine = "_target_: verl.workers.config.VeOmniEngineConfig\nenable_async_activation_offload: true\n";
    expect(Object.keys(table("engine/veomni.yaml", engine))).toEqual([
      "enable_async_activation_offload",
      "param_offload",
      "optimizer_offload",
    ]);
  });

  it("of VeOmni's own files: where their layout has them, and batches only where the global batch stays", () => {
    const scoped = table("training.yaml", jobText("training.yaml"));
    expect(scoped["model.accelerator.offload_config.enable_async_activation"]).toEqual([true, false]);
    expect(scoped["train.micro_batch_size"]).toEqual([1, 4]);
    expect(scoped["model.accelerator.dp_shard_size"]).toEqual([16]);
    const free = table("training.yaml", jobText("training.yaml").replace("  global_batch_size: 64\n", ""));
    expect(free).not.toHaveProperty("train.micro_batch_size");
    const flat = table("training-flat.yaml", jobText("training-flat.yaml"));
    expect(flat).toHaveProperty(["train.enable_gradient_checkpointing"]);
    expect(Object.keys(flat).some((key) => key.includes("async"))).toBe(false);
  });
});

describe("neighbours", () => {
  it.each([
    [8, 1, [4, 1, 16]],
    [2, 1, [1, 4]],
    [1, 1, [2]],
    [8192, 8192, [16_384]],
    [8192, 5000, [5000, 16_384]],
    [1, undefined, [2]],
    [undefined, 1, []],
    [2 ** 52, 1, [2 ** 51, 1]],
  ])("of %s, not below %s", (value, least, tried) => {
    expect(neighbours(value, least)).toEqual(tried);
  });
});
