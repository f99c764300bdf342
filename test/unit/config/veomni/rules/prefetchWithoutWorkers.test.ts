import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("prefetch-without-workers", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { data: ["dataloader: {num_workers: 0, prefetch_factor: 4}"] },
      ["hint prefetch-without-workers|prefetch_factor: 4"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "prefetch-without-workers")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ data: ["dataloader: {num_workers: 1, prefetch_factor: 4}"] }],
    [{ data: ["dataloader: {prefetch_factor: 4}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "prefetch-without-workers")).toEqual([]);
  });
});
