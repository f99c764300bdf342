import { describe, expect, it } from "vitest";
import { defaultLayersOf } from "../../../../src/core/modules/source/defaultLayers.js";
import { readTreeConfig } from "../../../../src/core/modules/source/treeConfig.js";

const layersOf = (config: unknown) => defaultLayersOf(readTreeConfig(config));

describe("defaultLayersOf", () => {
  it("is the default of the text model's class", () => {
    expect(layersOf({ model_type: "llava", text_config: { model_type: "mistral" } })).toBe(32);
    expect(layersOf({ model_type: "gpt2" })).toBe(12);
    expect(layersOf({ model_type: "deepseek_v3" })).toBe(61);
  });

  it("is not known for classes that were not recorded", () => {
    expect(layersOf({ model_type: "nothing_such" })).toBeUndefined();
    expect(layersOf({ model_type: "llava", text_config: { model_type: "__proto__" } })).toBeUndefined();
    expect(layersOf({})).toBeUndefined();
    expect(layersOf({ model_type: "nemotron" })).toBeUndefined();
    expect(layersOf({ model_type: "smolvlm", text_config: {} })).toBeUndefined();
  });
});
