import { describe, expect, it } from "vitest";
import { findingsIn, fixed, summaryOf } from "../../checkedText.js";

describe("misplaced-key", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    enable_async_activation_offload: true",
        "    fsdp_size: 2",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      ["error misplaced-key|enable_async_activation_offload", "error misplaced-key|fsdp_size"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      enable_gradient_checkpointing: true",
        "      ppo_micro_batch_size_per_gpu: 2",
        "      lr: 1.0e-6",
        "",
      ].join("\n"),
      [
        "error misplaced-key|enable_gradient_checkpointing",
        "error misplaced-key|ppo_micro_batch_size_per_gpu",
        "error misplaced-key|lr",
      ],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    activation_offload_modules: []",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      ["error misplaced-key|activation_offload_modules"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    engine:",
        "      activation_gpu_limit: 1",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      ["error misplaced-key|engine"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("misplaced-key", text)).toEqual(expected);
  });

  it.each([
    [
      "Move into actor_rollout_ref.actor.veomni",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    enable_async_activation_offload: true",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "      enable_async_activation_offload: true",
        "",
      ].join("\n"),
    ],
    [
      "Move to actor_rollout_ref.model",
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: a",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "      enable_gradient_checkpointing: true",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: a",
        "    enable_gradient_checkpointing: true",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
    ],
    [
      "Remove engine",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    engine:",
        "      activation_gpu_limit: 1",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      ["actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("misplaced-key", result)).toEqual([]);
  });

  const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
  const role = "actor_rollout_ref.actor";

  it.each([
    [
      `Move into ${role}.veomni`,
      `${role}.fsdp_size=8 ${role}.veomni.seed=1`,
      `${role}.veomni.fsdp_size=8 ${role}.veomni.seed=1`,
    ],
    [`Move to ${role}.optim`, `${role}.veomni.lr=1e-6`, `${role}.optim.lr=1e-6`],
    [
      "Move to actor_rollout_ref.model",
      `${role}.veomni.enable_gradient_checkpointing=true`,
      "actor_rollout_ref.model.enable_gradient_checkpointing=true",
    ],
    [
      "Move its keys into veomni",
      `${role}.engine.fsdp_size=8 ${role}.engine.param_offload=true ${role}.veomni.seed=1`,
      `${role}.veomni.fsdp_size=8 ${role}.veomni.param_offload=true ${role}.veomni.seed=1`,
    ],
  ])("%s in a script", (title, words, after) => {
    expect(fixed(title, `${call} ${words}\n`, "run.sh")).toBe(`${call} ${after}\n`);
  });

  it.each([
    ["both places hold the key", `${role}.engine.fsdp_size=8 ${role}.veomni.fsdp_size=4`],
    ["a part of the key comes out of a variable", `$P.fsdp_size=8 ${role}.veomni.seed=1`],
  ])("does not move where %s", (_, words) => {
    const titles = findingsIn(`P=${role}.engine\n${call} ${words}\n`, "run.sh").flatMap(({ fixes }) =>
      fixes.map(({ title }) => title),
    );
    expect(titles).not.toContain("Move its keys into veomni");
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  actor:",
      "    use_dynamic_bsz: true",
      "    pad_to_length: true",
      "    strategy: veomni",
      "    veomni:",
      "      seed: 1",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    enable_gradient_checkpointing: true",
      "  actor:",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    fsdp_config: {param_offload: true}", "    veomni: {seed: 1}", ""].join(
      "\n",
    ),
  ])("is content with %j", (text) => {
    expect(summaryOf("misplaced-key", text)).toEqual([]);
  });
});

describe("misplaced-key in the engine block of SFT", () => {
  const sft = (line: string, ...more: readonly string[]): string =>
    ["engine:", "  _target_: verl.workers.config.VeOmniEngineConfig", `  ${line}`, ...more, ""].join("\n");

  it.each([
    ["ppo_mini_batch_size: 2", "data:", "  train_files: a", "data", "train_batch_size: 2"],
    ["ppo_micro_batch_size_per_gpu: 2", "data:", "  train_files: a", "data", "micro_batch_size_per_gpu: 2"],
    ["train_batch_size: 2", "data:", "  train_files: a", "data", "train_batch_size: 2"],
    ["ppo_epochs: 2", "trainer:", "  nnodes: 1", "trainer", "total_epochs: 2"],
    ["lr: 1.0e-6", "optim:", "  weight_decay: 0.1", "optim", "lr: 1.0e-6"],
    ["trust_remote_code: true", "model:", "  path: a", "model", "trust_remote_code: true"],
  ])("%s moves to where the SFT trainer has it", (line, block, inside, place, moved) => {
    const text = sft(line, block, inside);
    expect(summaryOf("misplaced-key", text)).toEqual([`error misplaced-key|${line.split(":")[0]}`]);
    expect(fixed(`Move to ${place}`, text)).toContain(`${block}\n${inside}\n  ${moved}`);
  });

  it("says which key it is there, and never names a policy that SFT does not have", () => {
    const [batch] = findingsIn(sft("ppo_mini_batch_size: 2"));
    expect(batch?.message).toContain("It belongs to data, as train_batch_size.");
    const [loss] = findingsIn(sft("use_kl_loss: true"));
    expect(loss?.message).toContain("SFT has nothing like it");
    expect(loss?.fixes.map(({ title }) => title)).toEqual(["Remove use_kl_loss"]);
  });

  it("does not move a count of all GPUs to where those of one are counted", () => {
    const [found] = findingsIn(sft("ppo_micro_batch_size: 2", "data:", "  train_files: a"));
    expect(found?.fixes.map(({ title }) => title)).toEqual(["Remove ppo_micro_batch_size"]);
  });
});
