import { describe, expect, it } from "vitest";
import { findingsIn, fixed, summary, summaryOf } from "../../checkedText.js";

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

  const inModel = (path: string, kernel: string) =>
    [
      "actor_rollout_ref:",
      "  model:",
      `    path: ${path}`,
      "  actor:",
      "    veomni:",
      `      attn_implementation: ${kernel}`,
      "      ulysses_parallel_size: 4",
      "",
    ].join("\n");

  it("knows families whose own attention gathers the sequence", () => {
    expect(summary(inModel("deepseek-ai/DeepSeek-V4-Flash", "eager"))).toEqual([]);
  });

  it.each([
    ["openai/gpt-oss-20b", "eager", ["Set attn_implementation to flash_attention_4"]],
    ["zai-org/GLM-5", "sdpa", []],
    ["Qwen/Qwen3-8B", "eager", ["Set attn_implementation to flash_attention_2"]],
  ])("offers %s only what it runs in place of %s", (path, kernel, titles) => {
    const found = findingsIn(inModel(path, kernel)).filter(({ code }) => code === "attention-not-parallel");
    expect(found.map(({ fixes }) => fixes.map(({ title }) => title))).toEqual([titles]);
  });
});
