import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("r3-rollout", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "    enable_rollout_routing_replay: false",
        "",
      ].join("\n"),
      ["error r3-rollout|enable_rollout_routing_replay: false"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "",
      ].join("\n"),
      ["warning r3-rollout|mode: R3"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("r3-rollout", text)).toEqual(expected);
  });

  it.each([
    [
      "Set rollout.enable_rollout_routing_replay to true",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "    enable_rollout_routing_replay: false",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "    enable_rollout_routing_replay: true",
        "",
      ].join("\n"),
    ],
    [
      "Set rollout.enable_rollout_routing_replay to true",
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      router_replay: {mode: R3}",
        "  rollout:",
        "    name: vllm",
        "    enable_rollout_routing_replay: true",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("r3-rollout", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: R3}",
      "  rollout:",
      "    name: vllm",
      "    enable_rollout_routing_replay: true",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: R2}",
      "  rollout:",
      "    name: vllm",
      "    enable_rollout_routing_replay: false",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      router_replay: {mode: R3}",
      "  rollout:",
      "    name: vllm",
      "    enable_rollout_routing_replay: ${a.b}",
      "",
    ].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "router_replay: {mode: R3}", ""].join("\n"),
    ["critic:", "  veomni:", "    router_replay: {mode: R3}", "  rollout: {name: x}", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("r3-rollout", text)).toEqual([]);
  });
});
