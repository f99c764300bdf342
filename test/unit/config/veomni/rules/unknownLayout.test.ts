import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("unknown-layout", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      "# offload-lens: layout=train_scoped\nmodel: {model_path: x}\ndata: {train_path: x}\ntrain: {}\n",
      ["warning unknown-layout|train_scoped"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "unknown-layout")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ pin: "train-scoped" }]])("is silent on %j", (source) => {
    expect(trainingSummary(source, "unknown-layout")).toEqual([]);
  });
});
