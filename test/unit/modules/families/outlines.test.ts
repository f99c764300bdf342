import { describe, expect, it } from "vitest";
import { outlineOf } from "../../../../src/core/modules/families/outlines.js";

describe("outlineOf", () => {
  it("finds VeOmni's own classes by their name or model_type", () => {
    expect(outlineOf("WanModel", "t2v")?.noSplit).toEqual(["DiTBlock"]);
    expect(outlineOf(undefined, "flux")?.stacks.map(({ path }) => path)).toEqual(["blocks", "single_blocks"]);
    expect(outlineOf(undefined, "WanTransformer3DModel")?.architecture).toBe("WanTransformer3DModel");
  });

  it("guesses for transformers of diffusers, and says that it guesses", () => {
    const outline = outlineOf("MochiTransformer3DModel", undefined);
    expect(outline?.noSplit).toBeUndefined();
    expect(outline?.doubts.join()).toContain("is a guess");
  });

  it("knows nothing of others", () => {
    expect(outlineOf("MysteryForCausalLM", "mystery")).toBeUndefined();
    expect(outlineOf("JanusForConditionalGeneration", "janus")).toBeUndefined();
    expect(outlineOf(undefined, "__proto__")).toBeUndefined();
    expect(outlineOf(undefined, undefined)).toBeUndefined();
  });
});
