import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("attention-not-parallel", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "ulysses_parallel_size: 2",
        "attn_implementation: sdpa",
        "",
      ].join("\n"),
      ["warning attention-not-parallel|attn_implementation: sdpa"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "ulysses_parallel_size: 4",
        "attn_implementation: eager",
        "",
      ].join("\n"),
      ["warning attention-not-parallel|attn_implementation: eager"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("attention-not-parallel", text)).toEqual(expected);
  });

  it.each([
    [
      "Set attn_implementation to flash_attention_2",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "ulysses_parallel_size: 2",
        "attn_implementation: sdpa",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "ulysses_parallel_size: 2",
        "attn_implementation: flash_attention_2",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("attention-not-parallel", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "ulysses_parallel_size: 1",
      "attn_implementation: sdpa",
      "",
    ].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "attn_implementation: eager", ""].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "ulysses_parallel_size: 2",
      "attn_implementation: veomni_flash_attention_3_with_sp",
      "",
    ].join("\n"),
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "ulysses_parallel_size: 2",
      "attn_implementation: flex_attention",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("attention-not-parallel", text)).toEqual([]);
  });
});
