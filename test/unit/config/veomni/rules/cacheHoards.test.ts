import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("cache-hoards", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_host_cache_limit_gb: 8.0",
        ],
      },
      ["information cache-hoards|activation_offload_host_cache_limit_gb: 8.0"],
    ],
    [
      { model: ["accelerator:", "  offload_config:", "    enable_async_activation: true"], train: ["dyn_bsz: true"] },
      ["information cache-hoards|dyn_bsz: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "cache-hoards")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_host_cache_limit_gb: 0.25",
        ],
      },
    ],
    [{ model: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] }],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_host_cache_limit_gb: 8.0",
        ],
        train: ["pad_to_length: true"],
      },
    ],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_host_cache_limit_gb: 8.0",
        ],
        train: ["dyn_bsz: false"],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "cache-hoards")).toEqual([]);
  });
});
