import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-group-at-start", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "{*}"',
        "  - a.*",
        "",
      ].join("\n"),
      ['warning pattern-group-at-start|"{*}"'],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - ".{*}.x"',
        "",
      ].join("\n"),
      ['warning pattern-group-at-start|".{*}.x"'],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-group-at-start", text)).toEqual(expected);
  });

  it.each([
    [
      "Remove {*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        '  - "{*}"',
        "  - a.*",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - a.*",
        "",
      ].join("\n"),
    ],
    [
      "Remove {*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["{*}", "a.*"]',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["a.*"]',
        "",
      ].join("\n"),
    ],
    [
      "Remove {*}",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["a.*", "{*}"]',
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        'activation_offload_modules: ["a.*"]',
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-group-at-start", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - a.{*}",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-group-at-start", text)).toEqual([]);
  });
});
