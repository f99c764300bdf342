import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("cache-without-switch", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: 8.0"] },
      ["hint cache-without-switch|activation_offload_host_cache_limit_gb"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "cache-without-switch")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: 4"] }],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_host_cache_limit_gb: 8",
        ],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "cache-without-switch")).toEqual([]);
  });
});
