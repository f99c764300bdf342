import { describe, expect, it } from "vitest";
import { fixed, summary } from "../../checkedText.js";

function actor(sync: string, async: string, engine = "veomni"): string {
  return [
    `model_engine: ${engine}`,
    "actor_rollout_ref:",
    `  model: {enable_activation_offload: ${sync}}`,
    "  actor:",
    `    veomni: {enable_async_activation_offload: ${async}}`,
    "",
  ].join("\n");
}

describe("async-vs-sync", () => {
  it.each(["true", "false"])("finds the synchronous switch while the other is %s", (async) => {
    const text = actor("yes", async);
    expect(summary(text)).toEqual(["error async-vs-sync|enable_activation_offload: yes"]);
    const result = fixed("Set enable_activation_offload to false", text);
    expect(result).toBe(actor("false", async));
    expect(summary(result)).toEqual([]);
  });

  it("finds it for the critic's own model and for SFT", () => {
    expect(summary("critic:\n  model: {enable_activation_offload: true}\n  veomni: {seed: 1}\n")).toEqual([
      "error async-vs-sync|enable_activation_offload: true",
    ]);
    expect(summary("model: {enable_activation_offload: true}\nengine: {strategy: veomni}\n")).toEqual([
      "error async-vs-sync|enable_activation_offload: true",
    ]);
  });

  it("is content with a switch that is off, deferred, or for another engine", () => {
    expect(summary(actor("false", "true"))).toEqual([]);
    expect(summary(actor("'${x.y}'", "true"))).toEqual([]);
    expect(summary(actor("true", "true", "dp"))).toEqual(["warning engine-not-veomni|model_engine: dp"]);
  });
});
