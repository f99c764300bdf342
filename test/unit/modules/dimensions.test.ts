import { describe, expect, it } from "vitest";
import { readDimensions } from "../../../src/core/modules/dimensions.js";

describe("readDimensions", () => {
  it("reads plain and nested configurations under their several names", () => {
    expect(readDimensions({ n_embd: 768, n_head: 12 })).toEqual({
      hiddenSize: 768,
      heads: 12,
      keyValueHeads: 12,
      headSize: 64,
    });
    const text = {
      hidden_size: 64,
      intermediate_size: 128,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      head_dim: 32,
    };
    const sizes = { hiddenSize: 64, feedForwardSize: 128, heads: 4, keyValueHeads: 2, headSize: 32 };
    expect(readDimensions({ hidden_size: 9, text_config: text })).toEqual(sizes);
    expect(readDimensions({ thinker_config: { text_config: text } })).toEqual(sizes);
  });

  it("believes no nonsense", () => {
    expect(readDimensions({ hidden_size: "64", num_attention_heads: -1, intermediate_size: 2 ** 40 })).toEqual({});
    expect(readDimensions(null)).toEqual({});
  });
});
