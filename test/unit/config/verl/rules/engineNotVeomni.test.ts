import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("engine-not-veomni", () => {
  it.each([
    [
      ["model_engine: dp", "actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
      ["warning engine-not-veomni|model_engine: dp"],
    ],
    [
      ["actor_rollout_ref:", "  actor:", "    strategy: fsdp2", "    veomni:", "      seed: 1", ""].join("\n"),
      ["warning engine-not-veomni|strategy: fsdp2"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("engine-not-veomni", text)).toEqual(expected);
  });

  it.each([
    [
      "Set model_engine to veomni",
      ["model_engine: dp", "actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
      ["model_engine: veomni", "actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
    ],
    [
      "Set strategy to veomni",
      ["actor_rollout_ref:", "  actor:", "    strategy: fsdp", "    veomni:", "      seed: 1", ""].join("\n"),
      ["actor_rollout_ref:", "  actor:", "    strategy: veomni", "    veomni:", "      seed: 1", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("engine-not-veomni", result)).toEqual([]);
  });

  it.each([
    [
      "model_engine: veomni",
      "actor_rollout_ref:",
      "  actor:",
      "    strategy: veomni",
      "    veomni:",
      "      seed: 1",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
    ["model_engine: ${a.b}", "actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 1", ""].join("\n"),
    "engine: {strategy: veomni, seed: 1}\n",
  ])("is content with %j", (text) => {
    expect(summaryOf("engine-not-veomni", text)).toEqual([]);
  });
});
