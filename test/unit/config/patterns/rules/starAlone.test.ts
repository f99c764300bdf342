import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-star-alone", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "*"',
        "",
      ].join("\n"),
      ['warning pattern-star-alone|"*"'],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "**"',
        "",
      ].join("\n"),
      ['warning pattern-star-alone|"**"'],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-star-alone", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "*"',
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
    expect(summaryOf("pattern-star-alone", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.*.x",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-star-alone", text)).toEqual([]);
  });
});
