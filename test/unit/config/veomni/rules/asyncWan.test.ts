import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("async-wan", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "config_path: models/Wan2.1-T2V",
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
        ],
      },
      ["warning async-wan|enable_async_activation: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "async-wan")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "config_path: models/swanson",
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
        ],
      },
    ],
    [{ model: ["config_path: models/Wan2.1", "accelerator:", "  offload_config:", "    enable_activation: true"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "async-wan")).toEqual([]);
  });
});
