import { describe, expect, it } from "vitest";
import { keptBytes } from "../../../../src/core/modules/estimate/keptBytes.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen3");
const tokens = { tokens: 16_384, bytesPerElement: 2 };
const sizes = { hiddenSize: 1024, feedForwardSize: 3072, heads: 16, keyValueHeads: 8, headSize: 128 };
const kept = (name: string) => keptBytes(tree, `model.layers.0.${name}`, tokens, sizes);

describe("keptBytes", () => {
  it("counts what an MLP saves beside its input", () => {
    expect(kept("mlp")).toBe(4 * 16_384 * 3072 * 2);
  });

  it("adds up the rows of the table for attention with query and key norms", () => {
    const queries = 16_384 * 16 * 128 * 2;
    const keys = 16_384 * 8 * 128 * 2;
    const norms = 3 * queries + 4 * 16_384 * 16 + 3 * keys + 4 * 16_384 * 8;
    expect(kept("self_attn")).toBe(norms + 2 * queries + 2 * keys + 4 * 16_384 * 16);
  });

  it("keeps nothing for a projection and does not guess", () => {
    expect(kept("mlp.up_proj")).toBe(0);
    expect(kept("input_layernorm")).toBe(3 * 16_384 * 1024 * 2 + 4 * 16_384);
    expect(keptBytes(tree, "model.layers.0", tokens, sizes)).toBeUndefined();
    expect(keptBytes(tree, "model.layers.0.mlp", tokens, {})).toBeUndefined();
  });
});
