import { describe, expect, it } from "vitest";
import { nearestSpelling } from "../../../src/core/base/spelling.js";

const keys = ["param_offload", "optimizer_offload", "grad_offload", "activation_offload_modules", "seed", "R3"];

describe("nearestSpelling", () => {
  it.each([
    ["parm_offload", "param_offload"],
    ["optimiser_offload", "optimizer_offload"],
    ["activation-offload-module", "activation_offload_modules"],
    ["sede", "seed"],
    ["Grad_Offload", "grad_offload"],
    ["r3", "R3"],
  ])("finds %s near %s", (word, expected) => {
    expect(nearestSpelling(word, keys)).toBe(expected);
  });

  it("finds nothing for words that are far from all, or too short to tell", () => {
    expect(nearestSpelling("learning_rate", keys)).toBeUndefined();
    expect(nearestSpelling("R4", keys)).toBeUndefined();
    expect(nearestSpelling("", keys)).toBeUndefined();
    expect(nearestSpelling("gpu", ["npu", "cpu"])).toBeUndefined();
  });

  it("takes the earlier of two that are equally near", () => {
    expect(nearestSpelling("mode0", ["mode1", "mode2"])).toBe("mode1");
  });
});
