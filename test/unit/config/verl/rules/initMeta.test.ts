import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("init-meta", () => {
  it.each([
    [["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: cpu", ""].join("\n"), ["error init-meta|cpu"]],
    [
      ["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: cuda", ""].join("\n"),
      ["warning init-meta|cuda"],
    ],
    [
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      init_device: npu",
        "",
      ].join("\n"),
      ["error init-meta|npu"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("init-meta", text)).toEqual(expected);
  });

  it.each([
    [
      "Set init_device to meta",
      ["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: cpu", ""].join("\n"),
      ["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: meta", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("init-meta", result)).toEqual([]);
  });

  it.each([
    ["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: meta", ""].join("\n"),
    [
      "trainer: {nnodes: 1, n_gpus_per_node: 1}",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      init_device: cuda",
      "",
    ].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "init_device: ${a.b}", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("init-meta", text)).toEqual([]);
  });
});
