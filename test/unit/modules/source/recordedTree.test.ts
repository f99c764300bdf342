import { describe, expect, it } from "vitest";
import { recordedModelOf } from "../../../../src/core/modules/families/recordedModel.js";
import { type RecordedTree, recordedTree } from "../../../../src/core/modules/source/recordedTree.js";
import { tensorTrie } from "../../../../src/core/modules/source/tensorTrie.js";

function built(json: Readonly<Record<string, unknown>>, tensors?: readonly string[]): RecordedTree {
  const model = recordedModelOf(json);
  if (model === undefined) throw new Error("not recorded");
  return recordedTree(model, json, tensors === undefined ? undefined : tensorTrie(tensors));
}

describe("recordedTree", () => {
  it("chooses layers by the configuration", () => {
    const config = { model_type: "jamba", num_hidden_layers: 8, attn_layer_offset: 4, attn_layer_period: 8 };
    const types = new Map(built(config).modules.map(({ name, type }) => [name, type]));
    expect(types.get("model.layers.3")).toBe("JambaMambaDecoderLayer");
    expect(types.get("model.layers.4")).toBe("JambaAttentionDecoderLayer");
  });

  it("lets tensors outweigh the configuration, and counts by them where the file is silent", () => {
    const tree = built({ model_type: "jamba" }, [
      "model.layers.0.self_attn.q_proj.weight",
      "model.layers.1.mamba.in_proj.weight",
    ]);
    const types = new Map(tree.modules.map(({ name, type }) => [name, type]));
    expect(types.get("model.layers.0")).toBe("JambaAttentionDecoderLayer");
    expect(types.get("model.layers.1")).toBe("JambaMambaDecoderLayer");
    expect(types.has("model.layers.2")).toBe(false);
  });

  it("names the places in doubt once for all layers", () => {
    const tree = built({ model_type: "qwen3_next", num_hidden_layers: 4, layer_types: ["new", "new", "new", "new"] });
    expect(tree.doubtful).toContain("model.layers.#");
  });

  it("leaves the class of an activation out that the library does not know", () => {
    const tree = built({ model_type: "llama", num_hidden_layers: 1, hidden_act: "mystery" });
    expect(tree.modules.find(({ name }) => name.endsWith("act_fn"))?.type).toBeUndefined();
    expect(tree.doubtful).toEqual(["model.layers.#.mlp.act_fn (hidden_act)"]);
  });
});
