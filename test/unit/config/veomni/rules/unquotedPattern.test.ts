import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("unquoted-pattern", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_modules: [model.layers.{*}]"] },
      ["error unquoted-pattern|model.layers.{*}"],
    ],
    [
      {
        model: [
          "accelerator:",
          "  offload_config:",
          "    activation_offload_modules:",
          "      - *.layers",
          "      - {*}",
        ],
      },
      ["error unquoted-pattern|*.layers", "error unquoted-pattern|{*}"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "unquoted-pattern")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_modules:", "      - model.layers.{*}"] }],
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_modules: [model.layers.*]"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "unquoted-pattern")).toEqual([]);
  });
});
