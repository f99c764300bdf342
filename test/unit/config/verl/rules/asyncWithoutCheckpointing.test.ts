import { describe, expect, it } from "vitest";
import { fixed, summary } from "../../checkedText.js";

function actor(checkpointing: string, async: string): string {
  return [
    "actor_rollout_ref:",
    "  model:",
    `    enable_gradient_checkpointing: ${checkpointing}`,
    "  actor:",
    "    veomni:",
    `      enable_async_activation_offload: ${async}`,
    "",
  ].join("\n");
}

describe("async-without-gc", () => {
  it("finds offload without checkpointing", () => {
    expect(summary(actor("false", "true"))).toEqual([
      "information async-without-gc|enable_gradient_checkpointing: false",
    ]);
    const result = fixed("Set enable_gradient_checkpointing to true", actor("false", "true"));
    expect(result).toBe(actor("true", "true"));
    expect(summary(result)).toEqual([]);
  });

  it("is content when either is as it should be", () => {
    expect(summary(actor("true", "true"))).toEqual([]);
    expect(summary(actor("false", "false"))).toEqual([]);
    expect(summary(actor("${a.b}", "true"))).toEqual([]);
  });
});
