import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-foreign-group", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "model.layers.<*>"',
        "",
      ].join("\n"),
      ['warning pattern-foreign-group|"model.layers.<*>"'],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers[*]",
        "",
      ].join("\n"),
      ["warning pattern-foreign-group|model.layers[*]"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-foreign-group", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "model.layers.<*>"',
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
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers[*]",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}",
        "",
      ].join("\n"),
    ],
    [
      "Write model.layers.3.mlp",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers[3].mlp",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.3.mlp",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-foreign-group", result)).toEqual([]);
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
      "  - model.layers.[03]",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-foreign-group", text)).toEqual([]);
  });
});
