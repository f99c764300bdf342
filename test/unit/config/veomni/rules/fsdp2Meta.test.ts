import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("fsdp2-meta", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {init_device: cuda}"] }, ["error fsdp2-meta|init_device: cuda"]],
    [
      { train: ["init_device: cpu", "accelerator: {fsdp_config: {fsdp_mode: fsdp2}}"] },
      ["error fsdp2-meta|init_device: cpu"],
    ],
    [{ train: ["init_device: cuda", "data_parallel_mode: fsdp2"] }, ["error fsdp2-meta|init_device: cuda"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "fsdp2-meta")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator: {init_device: meta}"] }],
    [{ model: ["accelerator: {init_device: cuda, fsdp_config: {fsdp_mode: ddp}}"] }],
    [{ train: ["init_device: cuda", "lr: 1.0e-5"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "fsdp2-meta")).toEqual([]);
  });
});
