import { describe, expect, it } from "vitest";
import { summariseSelection } from "../../../../src/core/modules/selection/layerSummary.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { recordedTree } from "../recordedTrees.js";

function summary(name: string, patterns: readonly string[]) {
  const { tree } = recordedTree(name);
  return summariseSelection(selectModules(tree, patterns), tree);
}

describe("summariseSelection", () => {
  it("counts layers that move and the one that stays", () => {
    expect(summary("qwen3", ["model.layers.{*}"])).toEqual({
      layersSelected: 32,
      layersTotal: 32,
      moving: 31,
      staying: 1,
      sentence: "32 of 32 layers, the last stays on the device",
    });
  });

  it("counts instances once when they are listed twice", () => {
    expect(summary("qwen3", ["model.layers.*", "model.layers.{*}"])).toMatchObject({ moving: 31, staying: 1 });
  });

  it("names modules that are no layers", () => {
    expect(summary("qwen3", ["model.layers.[0-3]", "model.embed_tokens"]).sentence).toBe(
      "4 of 32 layers and 1 other module, the last stays on the device",
    );
    expect(summary("qwen3", ["lm_head"]).sentence).toBe(
      "1 other module, none moves: the last selected module stays on the device",
    );
  });

  it("counts every layer stack", () => {
    expect(summary("qwen2_5_vl", ["model.visual.blocks.{*}"])).toMatchObject({ layersSelected: 32, layersTotal: 112 });
  });

  it("says that nothing is selected", () => {
    expect(summary("qwen3", ["nothing"]).sentence).toBe("nothing selected, the framework raises ValueError");
  });
});
