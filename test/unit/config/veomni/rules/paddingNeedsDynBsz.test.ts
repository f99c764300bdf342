import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("padding-needs-dyn-bsz", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["dyn_bsz: false", "pad_to_length: true"] }, ["warning padding-needs-dyn-bsz|pad_to_length: true"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "padding-needs-dyn-bsz")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ train: ["pad_to_length: true"] }], [{ train: ["dyn_bsz: false"] }]])(
    "is silent on %j",
    (source) => {
      expect(trainingSummary(source, "padding-needs-dyn-bsz")).toEqual([]);
    },
  );
});
