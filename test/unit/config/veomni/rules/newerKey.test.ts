import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("newer-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { pin: "train-scoped", train: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] },
      ["warning newer-key|enable_async_activation"],
    ],
    [{ pin: "model-scoped", model: ["processor_config: {}"] }, ["error newer-key|processor_config"]],
    [{ train: ["accelerator: {}", "checkpoint: {stage_dir: x}"] }, ["warning newer-key|stage_dir"]],
    [
      { train: ["accelerator: {fsdp_config: {offload_pin_memory: true}}"], data: ["dataset_repeat: true"] },
      ["warning newer-key|dataset_repeat", "warning newer-key|offload_pin_memory"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "newer-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] }],
    [{ train: ["checkpoint: {stage_dir: x}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "newer-key")).toEqual([]);
  });
});
