import { describe, expect, it } from "vitest";
import { engine, fixed, summary, summaryOf } from "../../checkedText.js";

describe("unknown-value", () => {
  it.each([
    ["strategy: veomini", "error", "veomini", "veomni"],
    ["router_replay: {mode: r3}", "error", "r3", "R3"],
    ["attn_implementation: flash_attention2", "hint", "flash_attention2", "flash_attention_2"],
    ["moe_implementation: fused_tritn", "hint", "fused_tritn", "fused_triton"],
    ["dtype: bfloat6", "information", "bfloat6", "bfloat16"],
  ])("finds %s", (line, severity, place, nearest) => {
    expect(summaryOf("unknown-value", engine(line))).toEqual([`${severity} unknown-value|${place}`]);
    expect(summary(fixed(`Write ${nearest}`, engine(line)))).toEqual([]);
  });

  it("reports values that are near nothing without a fix", () => {
    expect(summary(engine("init_device: gpu"))).toEqual(["error unknown-value|gpu"]);
    expect(summary(engine("attn_implementation: triton-invariant"))).toEqual(["hint unknown-value|triton-invariant"]);
  });

  it.each(["strategy: veomni", "attn_implementation: ${a.b}", "init_device: ???", "ckpt_manager: dcp"])(
    "is content with %s",
    (line) => {
      expect(summary(engine(line))).toEqual([]);
    },
  );
});
