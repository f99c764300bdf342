import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("rotary-rejected", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["config_path: configs/deepseek_v4"] }, ["information rotary-rejected|config_path: configs/deepseek_v4"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "rotary-rejected")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["config_path: configs/deepseek_v4", "ops_implementation: {rotary_pos_emb_implementation: triton}"] }],
    [{ model: ["config_path: configs/deepseek_v3"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "rotary-rejected")).toEqual([]);
  });
});
