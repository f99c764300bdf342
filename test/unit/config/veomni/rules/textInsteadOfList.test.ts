import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("text-instead-of-list", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: model.layers.*",
        ],
      },
      ["warning text-instead-of-list|model.layers.*"],
    ],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: model.layers.0",
        ],
      },
      ["error text-instead-of-list|model.layers.0"],
    ],
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_modules: model.layers.*"] },
      ["information text-instead-of-list|model.layers.*"],
    ],
    [{ model: ["basic_modules: Qwen3DecoderLayer"] }, ["warning text-instead-of-list|Qwen3DecoderLayer"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "text-instead-of-list")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: [model.layers.*]",
        ],
      },
    ],
    [{ model: ["basic_modules: [A, B]"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "text-instead-of-list")).toEqual([]);
  });
});
