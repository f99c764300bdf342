import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("kernel-for-model", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3.5-35B-A3B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: eager",
        "      chunk_gated_delta_rule_implementation: eager",
        "",
      ].join("\n"),
      [
        "warning kernel-for-model|causal_conv1d_implementation: eager",
        "warning kernel-for-model|chunk_gated_delta_rule_implementation: eager",
      ],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: /models/DeepSeek-V4-Flash",
        "  actor:",
        "    veomni:",
        "      rotary_pos_emb_implementation: liger_kernel",
        "",
      ].join("\n"),
      ["warning kernel-for-model|rotary_pos_emb_implementation: liger_kernel"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: /models/Wan2.1",
        "  actor:",
        "    veomni:",
        "      rotary_pos_emb_implementation: liger_kernel",
        "",
      ].join("\n"),
      ["warning kernel-for-model|rotary_pos_emb_implementation: liger_kernel"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("kernel-for-model", text)).toEqual(expected);
  });

  it.each([
    [
      "Set causal_conv1d_implementation to fla",
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3_5-4B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: eager",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3_5-4B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: fla",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("kernel-for-model", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3-8B",
      "  actor:",
      "    veomni:",
      "      causal_conv1d_implementation: eager",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      causal_conv1d_implementation: eager", ""].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3.5-35B-A3B",
      "  actor:",
      "    veomni:",
      "      causal_conv1d_implementation: fla",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3-8B",
      "  actor:",
      "    veomni:",
      "      rotary_pos_emb_implementation: liger_kernel",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("kernel-for-model", text)).toEqual([]);
  });
});
