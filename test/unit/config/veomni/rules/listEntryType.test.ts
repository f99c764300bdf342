import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("list-entry-type", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ['optimizer: {betas: [0.9, "0.95"]}'] }, ['error list-entry-type|"0.95"']],
    [
      {
        model: [
          "accelerator: {extra_parallel_sizes: [2.5], extra_parallel_names: [a], extra_parallel_placement_innermost: [1]}",
        ],
      },
      ["error list-entry-type|2.5", "error list-entry-type|1"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "list-entry-type")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ model: ["optimizer: {betas: [0.9, 1]}"] }]])("is silent on %j", (source) => {
    expect(trainingSummary(source, "list-entry-type")).toEqual([]);
  });
});
