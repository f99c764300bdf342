import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("remove-padding-needs", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["use_remove_padding: true", "accelerator:", "  offload_config:", "    enable_async_activation: true"] },
      ["error remove-padding-needs|use_remove_padding: true"],
    ],
    [
      { model: ["use_remove_padding: true"], data: ["dataloader: {drop_last: false}"] },
      ["error remove-padding-needs|use_remove_padding: true"],
    ],
    [
      { model: ["use_remove_padding: true", "lora_config: {rank: 8}"] },
      ["error remove-padding-needs|use_remove_padding: true"],
    ],
    [
      { model: ["use_remove_padding: true", "accelerator: {ulysses_size: 2}"] },
      ["error remove-padding-needs|use_remove_padding: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "remove-padding-needs")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["use_remove_padding: true"] }],
    [{ model: ["use_remove_padding: false", "lora_config: {rank: 8}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "remove-padding-needs")).toEqual([]);
  });
});
