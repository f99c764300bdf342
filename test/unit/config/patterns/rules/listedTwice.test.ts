import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-listed-twice", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*",
        "  - model.layers.{*}",
        "",
      ].join("\n"),
      ["warning pattern-listed-twice|model.layers.{*}"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}",
        "  - model.layers.{*}",
        "",
      ].join("\n"),
      ["warning pattern-listed-twice|model.layers.{*}"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{*}",
        "  - model.layers.*",
        "",
      ].join("\n"),
      ["hint pattern-listed-twice|model.layers.*"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - a.b",
        "  - a.b",
        "",
      ].join("\n"),
      ["hint pattern-listed-twice|a.b"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-listed-twice", text)).toEqual(expected);
  });

  it.each([
    [
      "Remove model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*",
        "  - model.layers.{*}",
        "  - a.b",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.*",
        "  - a.b",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-listed-twice", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.layers.{*}",
      "  - model.norm",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - a.*",
      "  - b.*",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-listed-twice", text)).toEqual([]);
  });
});
