import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("stream-load", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["ep_sharded_stream_load: true"] }, ["error stream-load|ep_sharded_stream_load: true"]],
    [
      { train: ["ep_sharded_stream_load: true", "broadcast_model_weights_from_rank0: true"] },
      ["error stream-load|ep_sharded_stream_load: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "stream-load")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["ep_sharded_stream_load: true", "broadcast_model_weights_from_rank0: false"] }],
    [{ model: ["ep_sharded_stream_load: false"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "stream-load")).toEqual([]);
  });
});
