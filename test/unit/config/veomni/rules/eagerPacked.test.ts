import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("eager-packed", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["ops_implementation: {chunk_gated_delta_rule_implementation: eager}"] },
      ["information eager-packed|eager"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "eager-packed")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["ops_implementation: {causal_conv1d_implementation: eager}"], train: ["dyn_bsz: false"] }],
    [{ model: ["ops_implementation: {causal_conv1d_implementation: fla}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "eager-packed")).toEqual([]);
  });
});
