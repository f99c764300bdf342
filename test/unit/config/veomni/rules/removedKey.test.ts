import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("removed-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator: {}", "foundation: {}", "encode_target: true"] },
      ["error removed-key|foundation", "error removed-key|encode_target"],
    ],
    [
      {
        train: [
          "accelerator: {fsdp_config: {full_shard: true}}",
          "train_architecture: full",
          "enable_full_shard: true",
        ],
      },
      [
        "warning removed-key|full_shard",
        "warning removed-key|train_architecture",
        "warning removed-key|enable_full_shard",
      ],
    ],
    [
      { model: ["accelerator: {}"], train: ["chunk_mbs_config: {enable: true}"] },
      ["error removed-key|chunk_mbs_config"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "removed-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["foundation: {}"], train: ["accelerator: {}", "chunk_mbs_config: {}"] }],
    [{ train: ["lr: 1.0e-5", "train_architecture: full", "enable_full_shard: true"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "removed-key")).toEqual([]);
  });
});
