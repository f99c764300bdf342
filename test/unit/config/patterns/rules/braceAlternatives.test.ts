import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-braces", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{0,1}",
        "",
      ].join("\n"),
      ["warning pattern-braces|model.layers.{0,1}"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{0-27}",
        "",
      ].join("\n"),
      ["warning pattern-braces|model.layers.{0-27}"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.{a}.b",
        "",
      ].join("\n"),
      ["warning pattern-braces|model.{a}.b"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-braces", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.layers.[01]",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{0,1}",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.[01]",
        "",
      ].join("\n"),
    ],
    [
      "Write model.layers.[0-9], model.layers.1[0-9], model.layers.2[0-7]",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.{0-27}",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.layers.[0-9]",
        "  - model.layers.1[0-9]",
        "  - model.layers.2[0-7]",
        "",
      ].join("\n"),
    ],
    [
      "Write model.layers.[0-3]",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.layers.{0..3}"]',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.layers.[0-3]"]',
        "",
      ].join("\n"),
    ],
    [
      "Write model.vision.*, model.text.*",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.{vision,text}.*"]',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["model.vision.*", "model.text.*"]',
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-braces", result)).toEqual([]);
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
      "  - model.layers.[0-3]",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-braces", text)).toEqual([]);
  });
});
