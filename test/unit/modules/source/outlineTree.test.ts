import { describe, expect, it } from "vitest";
import { estimateSelection } from "../../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { outlineOf } from "../../../../src/core/modules/families/outlines.js";
import { summariseSelection } from "../../../../src/core/modules/selection/layerSummary.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { configTree } from "../../../../src/core/modules/source/configTree.js";
import { outlineTree } from "../../../../src/core/modules/source/outlineTree.js";
import { readTreeConfig } from "../../../../src/core/modules/source/treeConfig.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";

function treeOf(json: unknown): ModuleTree {
  const config = readTreeConfig(json);
  const outline = outlineOf(config.architecture, config.modelType);
  if (outline === undefined) throw new Error("no outline");
  return outlineTree(json, config, outline);
}
const namesOf = (tree: ModuleTree) => tree.modules.map(({ name }) => name);

describe("outlineTree", () => {
  it.each([
    [{ _class_name: "WanModel", model_type: "t2v", num_layers: 2 }, ["blocks.{*}"], "DiTBlock"],
    [{ _class_name: "WanTransformer3DModel", num_layers: 2 }, ["blocks.{*}"], "WanTransformerBlock"],
    [
      { _class_name: "QwenImageTransformer2DModel", num_layers: 2 },
      ["transformer_blocks.{*}"],
      "QwenImageTransformerBlock",
    ],
    [
      { architectures: ["LTXVideoTransformerModel"], num_layers: 2 },
      ["transformer_blocks.{*}"],
      "BasicAVTransformerBlock",
    ],
    [
      { architectures: ["Janus"], model_type: "janus", language_config: { num_hidden_layers: 2 } },
      ["language_model.model.layers.{*}"],
      "LlamaDecoderLayer",
    ],
  ])("lists the layers of %j", (json, patterns, type) => {
    const tree = treeOf(json);
    const byPattern = selectModules(tree, patterns);
    expect(byPattern.selected.map((entry) => entry.type)).toEqual([type, type]);
    expect(selectModules(tree, []).selected.map(({ name }) => name)).toEqual(
      byPattern.selected.map(({ name }) => name),
    );
    expect(tree.exact).toBe(false);
    expect(tree.warnings?.join()).toContain("not listed");
  });

  it("lists both kinds of layers of Flux, in order", () => {
    const tree = treeOf({ model_type: "flux", architectures: ["FluxModel"], num_layers: 1, num_single_layers: 2 });
    expect(namesOf(tree)).toEqual(["", "blocks", "blocks.0", "single_blocks", "single_blocks.0", "single_blocks.1"]);
    expect(selectModules(tree, []).depth).toBe(3);
  });

  it("says which list config.json does not count, and bounds the others", () => {
    const tree = treeOf({ architectures: ["FluxModel"], num_layers: 1, num_single_layers: 1e9 });
    expect(namesOf(tree)).toEqual(["", "blocks", "blocks.0"]);
    expect(tree.uncertain.join()).toContain("single_blocks (num_single_layers)");
  });

  it("guesses the layers of a transformer of diffusers without a class or an automatic mode", () => {
    const tree = treeOf({ _class_name: "SD3Transformer2DModel", num_layers: 2 });
    expect(tree.modules.find(({ name }) => name === "transformer_blocks.1")?.type).toBeUndefined();
    expect(tree.noSplitModules).toBeUndefined();
    expect(tree.warnings?.join()).toContain("is a guess");
  });

  it("has the root alone where no list is known", () => {
    expect(namesOf(treeOf({ model_type: "movqgan" }))).toEqual([""]);
    expect(selectModules(treeOf({ model_type: "movqgan" }), []).error?.message).toContain("has no _no_split_modules");
    expect(treeOf({ model_type: "seed_omni" }).uncertain.join()).toContain("depend on these parts");
  });

  it("leaves other models alone, those of transformers too", () => {
    for (const [architecture, modelType] of [[], [undefined, "qwen3"], ["MysteryForCausalLM", "mystery"]])
      expect(outlineOf(architecture, modelType)).toBeUndefined();
    const janus = configTree({ model_type: "janus", architectures: ["JanusForConditionalGeneration"] });
    expect(janus.ok && janus.value.modules.length).toBeGreaterThan(100);
  });

  it("is judged like any other model: layers are layers, and those of Wan move nothing", () => {
    const tree = treeOf({ _class_name: "WanTransformer3DModel", num_layers: 4 });
    const result = selectModules(tree, ["blocks.{*}"]);
    expect(summariseSelection(result, tree).sentence).toBe("4 of 4 layers, the last stays on the device");
    const { modules, warnings } = estimateSelection(result, tree, defaultWorkload);
    expect(new Set(modules.map(({ effect }) => effect))).toEqual(new Set(["nothing"]));
    expect(warnings.map(({ code }) => code)).toContain("CHECKPOINTED_FROM_OUTSIDE");
  });
});
