import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("deprecated-value", () => {
  it.each([
    [
      ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused", ""].join("\n"),
      ["hint deprecated-value|fused"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("deprecated-value", text)).toEqual(expected);
  });

  it.each([
    [
      "Set moe_implementation to fused_triton",
      ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused", ""].join("\n"),
      ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused_triton", ""].join("\n"),
    ],
    [
      "Set moe_implementation to fused_quack",
      ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused", ""].join("\n"),
      ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused_quack", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("deprecated-value", result)).toEqual([]);
  });

  it.each([
    ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: fused_triton", ""].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "moe_implementation: eager", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("deprecated-value", text)).toEqual([]);
  });
});
