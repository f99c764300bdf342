import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("sync-xor-async", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_activation: true",
          "    enable_async_activation: true",
        ],
      },
      ["error sync-xor-async|enable_activation: true"],
    ],
    [
      {
        train: ["accelerator:", "  offload_config:", "    enable_activation: true", "    enable_async_activation: yes"],
      },
      ["error sync-xor-async|enable_activation: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "sync-xor-async")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_activation: false",
          "    enable_async_activation: true",
        ],
      },
    ],
    [{ model: ["accelerator:", "  offload_config:", "    enable_activation: true"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "sync-xor-async")).toEqual([]);
  });
});
