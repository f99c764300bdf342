import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("chunk-loss-sync", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "ops_implementation: {cross_entropy_loss_implementation: chunk_loss}",
          "accelerator:",
          "  offload_config:",
          "    enable_activation: true",
        ],
      },
      ["error chunk-loss-sync|chunk_loss"],
    ],
    [
      {
        model: [
          "ops_implementation: {cross_entropy_loss_implementation: npu}",
          "accelerator:",
          "  offload_config:",
          "    enable_activation: true",
        ],
      },
      ["error chunk-loss-sync|npu"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "chunk-loss-sync")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "ops_implementation: {cross_entropy_loss_implementation: chunk_loss}",
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
        ],
      },
    ],
    [{ model: ["accelerator:", "  offload_config:", "    enable_activation: true"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "chunk-loss-sync")).toEqual([]);
  });
});
