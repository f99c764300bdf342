import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-container", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers",
        "",
      ].join("\n"),
      ["warning pattern-container|model.layers"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - transformer.h",
        "",
      ].join("\n"),
      ["warning pattern-container|transformer.h"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-container", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers",
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
      "Write visual.blocks.{*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules: [visual.blocks.]",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["visual.blocks.{*}"]',
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-container", result)).toEqual([]);
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
      "  - model.norm",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-container", text)).toEqual([]);
  });
});
