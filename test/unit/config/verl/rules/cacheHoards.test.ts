import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("cache-hoards", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: true",
        "  actor:",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "      activation_offload_host_cache_limit_gb: 4.0",
        "",
      ].join("\n"),
      ["information cache-hoards|activation_offload_host_cache_limit_gb: 4.0"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "",
      ].join("\n"),
      ["information cache-hoards|enable_async_activation_offload: true"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("cache-hoards", text)).toEqual(expected);
  });

  it.each([
    [
      "Set activation_offload_host_cache_limit_gb to 0.25",
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: true",
        "  actor:",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "      activation_offload_host_cache_limit_gb: 4.0",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: true",
        "  actor:",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "      activation_offload_host_cache_limit_gb: 0.25",
        "",
      ].join("\n"),
    ],
    [
      "Set activation_offload_host_cache_limit_gb to 0.25",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    veomni:",
        "      enable_async_activation_offload: true",
        "      activation_offload_host_cache_limit_gb: 0.25",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("cache-hoards", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  model:",
      "    use_remove_padding: true",
      "  actor:",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "      activation_offload_host_cache_limit_gb: 0.25",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    use_dynamic_bsz: true",
      "    pad_to_length: true",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    use_dynamic_bsz: true",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "      pad_to_length: ${a.b}",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    use_dynamic_bsz: false",
      "    veomni:",
      "      enable_async_activation_offload: true",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    use_dynamic_bsz: true", "    veomni:", "      seed: 1", ""].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "enable_async_activation_offload: true", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("cache-hoards", text)).toEqual([]);
  });
});
