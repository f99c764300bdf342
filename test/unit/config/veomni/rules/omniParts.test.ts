import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("omni-parts", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["encoders: {image: {}, text: {model_path: x}}"], train: ["accelerator: {}"] },
      ["error omni-parts|image", "error omni-parts|text"],
    ],
    [{ model: ["decoders: {audio: {model_path: x}}"], train: ["accelerator: {}"] }, ["error omni-parts|audio"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "omni-parts")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["encoders: {image: {config_path: x}, audio: {model_path: y}}"], train: ["accelerator: {}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "omni-parts")).toEqual([]);
  });
});
