import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("forward-only-actor", () => {
  it.each([
    [
      ["actor_rollout_ref:", "  actor:", "    veomni:", "      forward_only: true", ""].join("\n"),
      ["error forward-only-actor|forward_only: true"],
    ],
    [["critic:", "  veomni: {forward_only: true}", ""].join("\n"), ["error forward-only-actor|forward_only: true"]],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("forward-only-actor", text)).toEqual(expected);
  });

  it.each([
    [
      "Set forward_only to false",
      ["actor_rollout_ref:", "  actor:", "    veomni:", "      forward_only: true", ""].join("\n"),
      ["actor_rollout_ref:", "  actor:", "    veomni:", "      forward_only: false", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("forward-only-actor", result)).toEqual([]);
  });

  it.each([
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      forward_only: false", ""].join("\n"),
    ["actor_rollout_ref:", "  ref:", "    veomni: {forward_only: true}", ""].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "forward_only: true", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("forward-only-actor", text)).toEqual([]);
  });
});
