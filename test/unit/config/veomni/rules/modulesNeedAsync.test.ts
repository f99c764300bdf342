import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("modules-need-async", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_modules: [model.layers.*]"] },
      ["warning modules-need-async|activation_offload_modules"],
    ],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: false",
          "    activation_offload_modules: [a.*]",
        ],
      },
      ["warning modules-need-async|activation_offload_modules"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "modules-need-async")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_modules: []"] }],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: [a.*]",
        ],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "modules-need-async")).toEqual([]);
  });
});
