import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("deprecated-value", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["ops_implementation: {moe_implementation: fused}"] }, ["information deprecated-value|fused"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "deprecated-value")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["ops_implementation: {moe_implementation: fused_triton}"] }],
    [{ model: ["moe_implementation: fused"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "deprecated-value")).toEqual([]);
  });
});
