import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-text-after-group", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}.mlp",
        "",
      ].join("\n"),
      ["warning pattern-text-after-group|model.layers.{*}.mlp"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-text-after-group", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}.mlp",
        "  - a.*",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}",
        "  - a.*",
        "",
      ].join("\n"),
    ],
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.layers.{*}.mlp"]',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.layers.{*}"]',
        "",
      ].join("\n"),
    ],
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "[model.layers.{*}]"',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "model.layers.{*}"',
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-text-after-group", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.layers.{*}",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.layers.*",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: false",
      'activation_offload_modules: ["a.{*}.b"]',
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-text-after-group", text)).toEqual([]);
  });
});
