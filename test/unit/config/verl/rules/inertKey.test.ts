import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("inert-key", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "load_checkpoint_path: /a",
        "enable_full_shard: false",
        "force_use_huggingface: true",
        "grad_offload: true",
        "dtype: float16",
        "",
      ].join("\n"),
      [
        "warning inert-key|load_checkpoint_path: /a",
        "warning inert-key|enable_full_shard: false",
        "warning inert-key|force_use_huggingface: true",
        "warning inert-key|grad_offload: true",
        "warning inert-key|dtype: float16",
      ],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: a",
        "  actor:",
        "    veomni:",
        "      use_dynamic_bsz: true",
        "      micro_batch_size_per_gpu: 2",
        "      infer_micro_batch_size_per_gpu: 2",
        "      use_remove_padding: true",
        "",
      ].join("\n"),
      [
        "warning inert-key|use_dynamic_bsz: true",
        "warning inert-key|micro_batch_size_per_gpu: 2",
        "warning inert-key|infer_micro_batch_size_per_gpu: 2",
        "warning inert-key|use_remove_padding: true",
      ],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("inert-key", text)).toEqual(expected);
  });

  it.each([
    [
      "Remove load_checkpoint_path",
      ["_target_: verl.workers.config.VeOmniEngineConfig", "seed: 1", "load_checkpoint_path: /a", ""].join("\n"),
      ["_target_: verl.workers.config.VeOmniEngineConfig", "seed: 1", ""].join("\n"),
    ],
    [
      "Move to actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    strategy: veomni",
        "    veomni:",
        "      seed: 1",
        "      micro_batch_size_per_gpu: 2",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    strategy: veomni",
        "    ppo_micro_batch_size_per_gpu: 2",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
    ],
    [
      "Move to actor_rollout_ref.model.use_remove_padding",
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: a",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "      use_remove_padding: true",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: a",
        "    use_remove_padding: true",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("inert-key", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "load_checkpoint_path: null",
      "enable_full_shard: true",
      "ckpt_manager: dcp",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      use_dynamic_bsz: ${a.b}", ""].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    use_dynamic_bsz: true",
      "    veomni:",
      "      use_dynamic_bsz: true",
      "",
    ].join("\n"),
    "engine: {strategy: veomni, micro_batch_size_per_gpu: 2}\n",
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 7", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("inert-key", text)).toEqual([]);
  });
});
