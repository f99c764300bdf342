import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pattern-double-star", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.**",
        "",
      ].join("\n"),
      ["warning pattern-double-star|model.**"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pattern-double-star", text)).toEqual(expected);
  });

  it.each([
    [
      "Write model.*.mlp",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.**.mlp",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_async_activation_offload: true",
        "activation_offload_modules:",
        "  - model.*.mlp",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pattern-double-star", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      "  - model.*",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "enable_async_activation_offload: true",
      "activation_offload_modules:",
      '  - "**"',
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pattern-double-star", text)).toEqual([]);
  });
});
