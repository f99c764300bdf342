import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("missing-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      "model: {ops_implementation: {}}\ndata: {train_path: x}\ntrain: {max_steps: 1}\n",
      ["information missing-key|model"],
    ],
    [
      "model: {config_path: x, ops_implementation: {}}\ndata: {}\ntrain: {max_steps: 1}\n",
      ["information missing-key|data"],
    ],
    [
      "model: {config_path: x}\ndata: {train_path: null}\ntrain: {checkpoint: {}}\n",
      ["information missing-key|train_path"],
    ],
    [{ data: ["data_type: diffusion"] }, ["information missing-key|data"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "missing-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{}],
    ["model: {config_path: x}\ndata: {train_path: ???}\ntrain: {max_steps: 1}\n"],
    [{ data: ["data_type: diffusion", "text_keys: caption"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "missing-key")).toEqual([]);
  });
});
