import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("batch-multiple", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["micro_batch_size: 4", "global_batch_size: 6"] }, ["error batch-multiple|6"]],
    [
      { model: ["accelerator: {dp_shard_size: 8}"], train: ["micro_batch_size: 2", "global_batch_size: 8"] },
      ["error batch-multiple|8"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "batch-multiple")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["micro_batch_size: 4", "global_batch_size: 8"] }],
    [{ train: ["micro_batch_size: 4", "global_batch_size: null"] }],
    [{ model: ["accelerator: {dp_shard_size: -1}"], train: ["global_batch_size: 3"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "batch-multiple")).toEqual([]);
  });
});
