import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("async-compile", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  torch_compile: {enable: true}",
        ],
      },
      ["warning async-compile|enable: true"],
    ],
    [
      {
        train: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "torch_compile: {enable: true}",
        ],
      },
      ["warning async-compile|enable: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "async-compile")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  torch_compile: {enable: false}",
        ],
      },
    ],
    [
      {
        model: ["accelerator:", "  offload_config:", "    enable_activation: true", "  torch_compile: {enable: true}"],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "async-compile")).toEqual([]);
  });
});
