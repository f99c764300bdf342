import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("replay-padding", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: false",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R2}",
        "",
      ].join("\n"),
      ["error replay-padding|use_remove_padding: false"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "use_remove_padding: false",
        "router_replay: {mode: R3}",
        "",
      ].join("\n"),
      ["error replay-padding|use_remove_padding: false"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("replay-padding", text)).toEqual(expected);
  });

  it.each([
    [
      "Set use_remove_padding to true",
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: false",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R2}",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: true",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R2}",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("replay-padding", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  model:",
      "    use_remove_padding: false",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: disabled}",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    use_remove_padding: true",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: R2}",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: a",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: R2}",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("replay-padding", text)).toEqual([]);
  });
});
