import { describe, expect, it } from "vitest";
import { bodyOf, childOf, recordedModelOf } from "../../../../src/core/modules/families/recordedModel.js";
import { bearsTensors, mismatchOf } from "../../../../src/core/modules/source/recordedFit.js";
import { tensorTrie } from "../../../../src/core/modules/source/tensorTrie.js";

function bodyNode(): number {
  const family = recordedModelOf({ model_type: "llama" })?.family;
  const body = family === undefined ? undefined : bodyOf(family);
  if (body === undefined) throw new Error("not recorded");
  return body;
}

describe("recordedFit", () => {
  it("knows what owns tensors", () => {
    const body = bodyNode();
    expect(bearsTensors(body)).toBe(true);
    expect(bearsTensors(childOf(body, "rotary_emb") ?? -1)).toBe(false);
  });

  it("counts missing and surplus modules", () => {
    const body = bodyNode();
    expect(mismatchOf(body, tensorTrie(["embed_tokens.weight", "norm.weight", "layers.0.w"]))).toBeCloseTo(0.4);
    expect(mismatchOf(body, tensorTrie(["norm.weight", "other.weight"]))).toBe(3);
  });
});
