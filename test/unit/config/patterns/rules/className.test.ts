import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-class-name", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - Qwen3DecoderLayer",
        "",
      ].join("\n"),
      ["warning pattern-class-name|Qwen3DecoderLayer"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-class-name", text)).toEqual(expected);
  });

  it.each([
    [
      "Remove Qwen3DecoderLayer",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - Qwen3DecoderLayer",
        "  - model.layers.{*}",
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
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-class-name", result)).toEqual([]);
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
      "  - lm_head",
      "  - model.norm",
      "",
    ].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "basic_modules: [Qwen3DecoderLayer]", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-class-name", text)).toEqual([]);
  });
});
