import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../../checkedText.js";

const information = "information async-in-ref|enable_async_activation_offload: true";

describe("async-in-ref", () => {
  it("finds offload in the reference policy and in forward-only engines", () => {
    const ref = "actor_rollout_ref:\n  ref:\n    veomni:\n      enable_async_activation_offload: true\n";
    expect(summary(ref)).toEqual([information]);
    expect(summary(fixed("Set enable_async_activation_offload to false", ref))).toEqual([]);
    expect(summary("veomni:\n  enable_async_activation_offload: true\n", "ref/veomni_ref.yaml")).toEqual([information]);
    expect(summary(engine("forward_only: true", "enable_async_activation_offload: true"))).toEqual([information]);
  });

  it("does not go round in circles with the rules on unused keys", () => {
    const ref = (lines: string) => `actor_rollout_ref:\n  ref:\n    veomni:\n${lines}`;
    const off = ref("      enable_async_activation_offload: false\n      activation_offload_modules: [a.*]\n");
    expect(findingsIn(off).flatMap((finding) => finding.fixes.map((fix) => fix.title))).toEqual([
      "Remove activation_offload_modules",
    ]);
    const result = fixed("Remove activation_offload_modules", off);
    expect(result).toBe(ref("      enable_async_activation_offload: false\n"));
  });

  it("is content with the actor, and with a value taken from it", () => {
    expect(summary("actor_rollout_ref:\n  actor:\n    veomni:\n      enable_async_activation_offload: true\n")).toEqual(
      [],
    );
    const follows = "actor_rollout_ref:\n  ref:\n    veomni:\n      enable_async_activation_offload: ${a.b}\n";
    expect(summary(follows)).toEqual([]);
  });
});
