import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-inside-layer", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*.mlp",
        "",
      ].join("\n"),
      ["warning pattern-inside-layer|model.layers.*.mlp"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.1[0-9].self_attn",
        "",
      ].join("\n"),
      ["warning pattern-inside-layer|model.layers.1[0-9].self_attn"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-inside-layer", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.*",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*.mlp",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-inside-layer", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.layers.*",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.layers.{*}",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    enable_gradient_checkpointing: false",
      "  actor:",
      "    veomni:",
      "      enable_async_activation_offload: true",
      '      activation_offload_modules: ["model.layers.*.mlp"]',
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.*.layers.*",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-inside-layer", text)).toEqual([]);
  });
});
