import { describe, expect, it } from "vitest";
import { parseBlueprint } from "../../../../src/core/modules/families/blueprint.js";
import { omniFamilies } from "../../../../src/core/modules/families/omniFamilies.js";

describe("omniFamilies", () => {
  it("puts the thinker below a name of its own in the whole model only", () => {
    const topOf = (type: string) => parseBlueprint(omniFamilies.get(type)?.body ?? "").map((entry) => entry.name);
    expect(topOf("qwen3_omni_moe")).toEqual(["thinker"]);
    expect(topOf("qwen3_omni_moe_thinker")).toEqual(["audio_tower", "visual", "model", "lm_head"]);
    expect(topOf("qwen2_5_omni_thinker")).toEqual(["audio_tower", "visual", "model", "lm_head"]);
  });

  it("has VeOmni's list for the whole model, and that of transformers for the thinker", () => {
    const listOf = (type: string) => omniFamilies.get(type)?.noSplit;
    expect(listOf("qwen2_5_omni")).toEqual(["@DecoderLayer", "@VisionBlock", "@AudioEncoderLayer"]);
    expect(listOf("qwen2_5_omni_thinker")).toContain("@VisionEncoder");
    expect(omniFamilies.get("qwen3_omni_moe_thinker")?.noSplitNote).toContain("Qwen3OmniMoeThinkerTextDecoderLayer");
  });
});
