import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("async-without-gc", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "  gradient_checkpointing: {enable: false}",
        ],
      },
      ["information async-without-gc|enable: false"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "async-without-gc")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] }],
    [{ model: ["accelerator: {gradient_checkpointing: {enable: false}}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "async-without-gc")).toEqual([]);
  });
});
