import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("stage-async", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["checkpoint: {stage_dir: /local, save_async: true}"] }, ["error stage-async|save_async: true"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "stage-async")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["checkpoint: {stage_dir: /local, save_async: false}"] }],
    [{ train: ["checkpoint: {save_async: true}"] }],
    [{ train: ["checkpoint: {stage_dir: null, save_async: true}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "stage-async")).toEqual([]);
  });
});
