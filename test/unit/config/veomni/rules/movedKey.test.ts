import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("moved-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator: {}"], train: ["lr: 1.0e-5", "optimizer: {}", "init_device: meta"] },
      ["error moved-key|lr", "error moved-key|optimizer", "error moved-key|init_device"],
    ],
    [
      { train: ["accelerator: {}", "enable_activation_offload: true"], data: ["num_workers: 1"] },
      ["warning moved-key|num_workers", "warning moved-key|enable_activation_offload"],
    ],
    [{ model: ["chat_template: x"], data: ["chat_template: x"] }, ["error moved-key|chat_template"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "moved-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["lr: 1.0e-5", "enable_activation_offload: true"] }],
    [{ model: ["accelerator: {init_device: meta}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "moved-key")).toEqual([]);
  });
});
