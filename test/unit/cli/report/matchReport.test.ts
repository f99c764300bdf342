import { describe, expect, it } from "vitest";
import { matchReport } from "../../../../src/cli/report/matchReport.js";
import { estimateSelection } from "../../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { recordedTree } from "../../modules/recordedTrees.js";

function report(patterns: readonly string[], explain = false): string {
  const { tree } = recordedTree("opt");
  const result = selectModules(tree, patterns);
  return matchReport(result, tree, explain ? estimateSelection(result, tree, defaultWorkload) : undefined);
}

describe("matchReport", () => {
  it("says which index a module listed twice runs with", () => {
    const lines = report(["model.decoder.layers.[01]", "model.decoder.layers.[01]", "lm_head"]).split("\n");
    expect(lines).toContain("  0 … 1  model.decoder.layers.0 … model.decoder.layers.1  OPTDecoderLayer  moves");
    const twice = report(["model.decoder.layers.*", "model.decoder.layers.{*}"]);
    expect(twice).toMatch(/runs with 12 … 22 {2}moves/);
    expect(twice).toMatch(/runs with 23 {2}stays on the device/);
  });

  it("names the model itself, and reports errors instead of a list", () => {
    expect(report(["*"])).toContain("(the model)  OPTForCausalLM");
    expect(report(["nothing"])).toContain("The framework would raise ValueError");
    expect(report([])).toContain("automatic mode");
  });

  it("says what the source cannot know only when explaining", () => {
    expect(report(["nowhere.{*}", "lm_head"])).not.toContain("cannot know");
    expect(report(["nowhere.{*}", "lm_head"], true)).toContain("cannot know");
  });

  it("folds what lies at the same place of neighbouring layers, and names the first and the last of a pattern", () => {
    const text = report(["model.decoder.layers.*.fc1"], true);
    expect(text).toContain("model.decoder.layers.0.fc1 … model.decoder.layers.10.fc1  Linear  moves");
    expect(text).toContain('first "model.decoder.layers.0.fc1", last "model.decoder.layers.11.fc1"');
  });

  it("cuts patterns that nobody reads to their end", () => {
    for (const pattern of [
      "x".repeat(60_000),
      `${"y.".repeat(30_000)}{*}`,
      `model.decoder.layers.{*}${"z".repeat(60_000)}`,
    ]) {
      const lines = report([pattern, "lm_head"], true).split("\n");
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(900);
    }
  });
});
