import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("out-of-range", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: -1"] },
      ["error out-of-range|-1"],
    ],
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: .inf"] },
      ["error out-of-range|.inf"],
    ],
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: 8589934592"] },
      ["error out-of-range|8589934592"],
    ],
    [{ model: ["accelerator:", "  offload_config:", "    activation_gpu_limit: -0.5"] }, ["warning out-of-range|-0.5"]],
    [
      { model: ["accelerator: {tp_size: 2, pp_size: 2, cp_size: 0}"] },
      ["error out-of-range|2", "error out-of-range|2", "error out-of-range|0"],
    ],
    [{ train: ["accelerator: {cp_size: 2}"] }, ["error out-of-range|2"]],
    [
      { train: ["dyn_bsz_physical_overflow_ratio: 0.5", "channel_loss: {interval: 0}"] },
      ["error out-of-range|0.5", "error out-of-range|0"],
    ],
    [{ train: ["accelerator: {}", "chunk_mbs_config: {chunk_mbs: 0}"] }, ["error out-of-range|0"]],
    [{ model: ["optimizer: {muon_head_group_size: -1}"] }, ["error out-of-range|-1"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "out-of-range")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    activation_offload_host_cache_limit_gb: 0",
          "    activation_gpu_limit: 0",
        ],
      },
    ],
    [{ model: ["accelerator: {tp_size: 1, pp_size: 1, cp_size: 4}"] }],
    [{ train: ["dyn_bsz_physical_overflow_ratio: 1.0", "channel_loss: {interval: 1}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "out-of-range")).toEqual([]);
  });
});
