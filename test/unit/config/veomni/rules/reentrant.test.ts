import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("reentrant", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  gradient_checkpointing: {enable_reentrant: true}",
        ],
      },
      ["warning reentrant|enable_reentrant: true"],
    ],
    [
      {
        train: [
          "accelerator:",
          "  offload_config:",
          "    enable_activation: true",
          "gradient_checkpointing: {enable_reentrant: true}",
        ],
      },
      ["warning reentrant|enable_reentrant: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "reentrant")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator: {gradient_checkpointing: {enable_reentrant: true}}"] }],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  gradient_checkpointing: {enable_reentrant: false}",
        ],
      },
    ],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  gradient_checkpointing: {enable: false, enable_reentrant: true}",
        ],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "reentrant")).toEqual([]);
  });
});
