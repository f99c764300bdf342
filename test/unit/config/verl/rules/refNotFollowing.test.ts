import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("ref-not-following", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      mixed_precision: false",
        "      causal_conv1d_implementation: fla",
        "  ref:",
        "    veomni:",
        "      param_offload: true",
        "",
      ].join("\n"),
      [
        "information ref-not-following|mixed_precision: false",
        "information ref-not-following|causal_conv1d_implementation: fla",
      ],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      enable_fsdp_offload: true",
        "  ref: {log_prob_micro_batch_size_per_gpu: 2}",
        "",
      ].join("\n"),
      ["information ref-not-following|enable_fsdp_offload: true"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("ref-not-following", text)).toEqual(expected);
  });

  it.each([
    [
      "Let ref follow the actor",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      mixed_precision: false",
        "  ref:",
        "    veomni:",
        "      param_offload: true",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      mixed_precision: false",
        "  ref:",
        "    veomni:",
        "      param_offload: true",
        "      mixed_precision: ${actor_rollout_ref.actor.veomni.mixed_precision}",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("ref-not-following", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      mixed_precision: true",
      "  ref:",
      "    veomni:",
      "      param_offload: true",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      mixed_precision: false", ""].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      fsdp_size: 4",
      "  ref:",
      "    veomni:",
      "      param_offload: true",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      basic_modules: []",
      "  ref:",
      "    veomni:",
      "      param_offload: true",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      mixed_precision: false",
      "  ref:",
      "    veomni:",
      "      param_offload: true",
      "      mixed_precision: true",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("ref-not-following", text)).toEqual([]);
  });
});
