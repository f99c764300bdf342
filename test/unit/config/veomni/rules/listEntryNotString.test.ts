import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("list-entry-not-string", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: [a.*, 3, null, {b.*}]",
        ],
      },
      ["error list-entry-not-string|3", "error list-entry-not-string|null", "error list-entry-not-string|{b.*}"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "list-entry-not-string")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    enable_async_activation: true",
          "    activation_offload_modules: [a.*, '3']",
        ],
      },
    ],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "list-entry-not-string")).toEqual([]);
  });
});
