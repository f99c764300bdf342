import { describe, expect, it } from "vitest";
import { estimateLines } from "../../../../src/cli/report/matchEstimate.js";
import { estimateSelection } from "../../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { recordedTree } from "../../modules/recordedTrees.js";

function linesOf(...patterns: string[]): readonly string[] {
  const { tree } = recordedTree("qwen3");
  return estimateLines(estimateSelection(selectModules(tree, patterns), tree, defaultWorkload));
}

describe("estimateLines", () => {
  it("has one line for modules of the same place, also where selections nest", () => {
    const lines = linesOf("model.layers.{*}", "model.layers.*.mlp").filter((line) => line.startsWith("  model."));
    expect(lines.map((line) => line.replaceAll("\u00a0", " "))).toEqual([
      "  model.layers.0 … model.layers.31: 16.0 MiB each in 1 copy (the checkpoint saves the layer's input)",
      "  model.layers.0.mlp … model.layers.30.mlp: 32.0 MiB each in 2 copies (saved by gate_proj, up_proj)",
      "  model.layers.31.mlp: stays on the device (saved by gate_proj, up_proj)",
    ]);
  });

  it("shows the arithmetic of the sums", () => {
    const text = linesOf("model.layers.{*}").join("\n");
    expect(text).toContain("31 × 1 × 2048 × 4096 × 2 B = ");
    expect(text).toContain("0 allocations, 31 reuses");
  });
});
