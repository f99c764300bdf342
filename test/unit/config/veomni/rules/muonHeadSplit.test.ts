import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("muon-head-split", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["optimizer: {muon_head_group_size: 1}"] }, ["error muon-head-split|muon_head_group_size: 1"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "muon-head-split")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["optimizer: {muon_head_group_size: 1, muon_head_split_modules: [q_proj]}"] }],
    [{ model: ["optimizer: {muon_head_group_size: 0}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "muon-head-split")).toEqual([]);
  });
});
