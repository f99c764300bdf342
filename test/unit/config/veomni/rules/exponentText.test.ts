import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("exponent-text", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["optimizer: {lr: 1e-5}"] }, ["error exponent-text|1e-5"]],
    [
      { model: ["optimizer: {lr: 1e-5, lr_min: 1.5E6}"], data: ["train_size: 1e3"] },
      ["error exponent-text|1e-5", "error exponent-text|1.5E6", "error exponent-text|1e3"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "exponent-text")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["optimizer: {lr: 1.0e-5}"] }],
    [{ model: ["optimizer: {lr: 3.0e+4, lr_min: .5e-6}"] }],
    [{ model: ["tokenizer_path: 1e-5"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "exponent-text")).toEqual([]);
  });
});
