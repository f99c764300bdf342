import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../checkedText.js";

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
