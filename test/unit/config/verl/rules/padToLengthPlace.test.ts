import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("pad-to-length-place", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    veomni:",
        "      pad_to_length: true",
        "",
      ].join("\n"),
      ["information pad-to-length-place|pad_to_length: true"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    pad_to_length: true",
        "    veomni:",
        "      pad_to_length: false",
        "",
      ].join("\n"),
      ["information pad-to-length-place|pad_to_length: false"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("pad-to-length-place", text)).toEqual(expected);
  });

  it.each([
    [
      "Move to actor_rollout_ref.actor.pad_to_length",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    veomni:",
        "      seed: 1",
        "      pad_to_length: true",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    use_dynamic_bsz: true",
        "    pad_to_length: true",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("pad-to-length-place", result)).toEqual([]);
  });

  it.each([
    ["actor_rollout_ref:", "  actor:", "    pad_to_length: true", "    veomni:", "      pad_to_length: true", ""].join(
      "\n",
    ),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      pad_to_length: ${a.b}", ""].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "pad_to_length: true", ""].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      pad_to_length: false", ""].join("\n"),
    ["critic:", "  veomni: {pad_to_length: true}", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("pad-to-length-place", text)).toEqual([]);
  });
});
