import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("cpu-expert-parallel", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["init_device: cpu", "accelerator: {ep_size: 2}"] }, ["error cpu-expert-parallel|init_device: cpu"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "cpu-expert-parallel")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["init_device: cpu", "accelerator: {ep_size: 1}"] }],
    [{ train: ["init_device: meta", "accelerator: {ep_size: 2}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "cpu-expert-parallel")).toEqual([]);
  });
});
