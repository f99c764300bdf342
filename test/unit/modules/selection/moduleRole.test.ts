import { describe, expect, it } from "vitest";
import { isCheckpointedFromOutside, roleOf } from "../../../../src/core/modules/selection/moduleRole.js";
import { recordedTree } from "../recordedTrees.js";

describe("roleOf", () => {
  it.each([
    ["qwen3", "", { kind: "model" }],
    ["qwen3", "model", { kind: "model" }],
    ["qwen3", "model.layers", { kind: "container" }],
    ["qwen3", "model.layers.3", { kind: "layer", tokens: "text" }],
    ["qwen3", "model.layers.3.mlp", { kind: "inside", layer: "model.layers.3", tokens: "text" }],
    ["qwen3", "model.embed_tokens", { kind: "embedding" }],
    ["qwen3", "model.rotary_emb", { kind: "other" }],
    ["qwen3", "lm_head", { kind: "other" }],
    ["opt", "model.decoder", { kind: "model" }],
    ["qwen2_vl", "model.visual.blocks.0", { kind: "layer", tokens: "data" }],
    ["qwen2_vl", "model.language_model", { kind: "model" }],
  ])("on %s, %s", (tree, name, role) => {
    expect(roleOf(recordedTree(tree).tree, name)).toEqual(role);
  });

  it("knows which class wraps its blocks from outside", () => {
    const { tree } = recordedTree("qwen3");
    expect(isCheckpointedFromOutside(tree)).toBe(false);
    expect(isCheckpointedFromOutside({ ...tree, architecture: "WanTransformer3DModel" })).toBe(true);
  });
});
