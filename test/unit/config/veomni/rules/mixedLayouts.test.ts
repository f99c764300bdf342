import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("mixed-layouts", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {}"], train: ["accelerator: {}"] }, ["error mixed-layouts|accelerator"]],
    [{ pin: "train-scoped", model: ["optimizer: {}"] }, ["warning mixed-layouts|optimizer"]],
    [{ pin: "train-scoped", train: ["lr: 1.0e-5"] }, ["warning mixed-layouts|lr"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "mixed-layouts")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ model: ["accelerator: {}"] }], [{ train: ["accelerator: {}", "lr: 1.0e-5"] }]])(
    "is silent on %j",
    (source) => {
      expect(trainingSummary(source, "mixed-layouts")).toEqual([]);
    },
  );
});
