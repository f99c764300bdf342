import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("gpu-limit-async", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_gpu_limit: 2.0",
        ],
      },
      ["hint gpu-limit-async|activation_gpu_limit"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "gpu-limit-async")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_gpu_limit: 0.0",
        ],
      },
    ],
    [{ model: ["accelerator:", "  offload_config:", "    enable_activation: true", "    activation_gpu_limit: 2.0"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "gpu-limit-async")).toEqual([]);
  });
});
