import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("chunk-mbs-excludes", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { train: ["accelerator: {ulysses_size: 2}", "chunk_mbs_config: {enable: true}"] },
      ["error chunk-mbs-excludes|enable: true"],
    ],
    [
      { data: ["data_type: dpo"], train: ["accelerator: {}", "chunk_mbs_config: {enable: true}"] },
      ["error chunk-mbs-excludes|enable: true"],
    ],
    [
      { train: ["accelerator: {}", "pad_to_length: true", "chunk_mbs_config: {enable: true}"] },
      ["error chunk-mbs-excludes|enable: true"],
    ],
    [
      {
        train: [
          "accelerator: {}",
          "gradient_checkpointing: {enable_reentrant: true}",
          "chunk_mbs_config: {enable: true}",
        ],
      },
      ["error chunk-mbs-excludes|enable: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "chunk-mbs-excludes")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["accelerator: {}", "chunk_mbs_config: {enable: true, chunk_mbs: 2}"] }],
    [{ train: ["accelerator: {ulysses_size: 2}", "chunk_mbs_config: {enable: false}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "chunk-mbs-excludes")).toEqual([]);
  });
});
