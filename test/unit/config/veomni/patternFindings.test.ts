import { describe, expect, it } from "vitest";
import { trainingFixed, trainingSummary } from "./checkedTraining.js";

function withPatterns(patterns: string, enabled = true) {
  return {
    model: [
      "accelerator:",
      "  offload_config:",
      `    enable_async_activation: ${enabled}`,
      `    activation_offload_modules: ${patterns}`,
    ],
  };
}

function patternSummary(patterns: string, enabled?: boolean): readonly string[] {
  return trainingSummary(withPatterns(patterns, enabled)).filter((line) => line.includes(" pattern-"));
}

describe("patternFindings", () => {
  it.each([
    ['["model.layers.{0-27}"]', ['warning pattern-braces|"model.layers.{0-27}"']],
    ["[model.layers]", ["warning pattern-container|model.layers"]],
    ["[model.layers.*.mlp]", ["warning pattern-inside-layer|model.layers.*.mlp"]],
    ["[model.layers.*]", []],
    ['["model.layers.{*}"]', []],
  ])("of %s", (patterns, expected) => {
    expect(patternSummary(patterns)).toEqual(expected);
  });

  it("leave a list alone that is switched off", () => {
    expect(patternSummary("[model.layers]", false)).toEqual([]);
  });

  it("bring fixes for VeOmni's file", () => {
    expect(trainingFixed("Write model.layers.{*}", withPatterns("[model.layers]"))).toContain(
      'activation_offload_modules: ["model.layers.{*}"]',
    );
  });
});
