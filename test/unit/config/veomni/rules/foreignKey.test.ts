import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("foreign-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    enable_async_activation_offload: true"] },
      ["error foreign-key|enable_async_activation_offload"],
    ],
    [
      { train: ["accelerator: {expert_parallel_size: 2}", "micro_batch_size_per_gpu: 1"], data: ["train_files: x"] },
      [
        "warning foreign-key|train_files",
        "warning foreign-key|expert_parallel_size",
        "warning foreign-key|micro_batch_size_per_gpu",
      ],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "foreign-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ model: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] }]])(
    "is silent on %j",
    (source) => {
      expect(trainingSummary(source, "foreign-key")).toEqual([]);
    },
  );
});
