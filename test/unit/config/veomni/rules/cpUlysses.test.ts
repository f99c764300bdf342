import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("cp-ulysses", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {cp_size: 2, ulysses_size: 4}"] }, ["error cp-ulysses|cp_size: 2"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "cp-ulysses")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator: {cp_size: 2}"] }],
    [{ model: ["accelerator: {cp_size: 1, ulysses_size: 4}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "cp-ulysses")).toEqual([]);
  });
});
