import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("extra-parallel-lengths", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator: {extra_parallel_sizes: [2, 2], extra_parallel_names: [a]}"] },
      ["error extra-parallel-lengths|extra_parallel_sizes"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "extra-parallel-lengths")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator: {extra_parallel_sizes: [2], extra_parallel_names: [a], extra_parallel_placement_innermost: [true]}",
        ],
      },
    ],
    [{ model: ["accelerator: {}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "extra-parallel-lengths")).toEqual([]);
  });
});
