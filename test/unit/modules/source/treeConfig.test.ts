import { describe, expect, it } from "vitest";
import { declaresImpossibleLayers, readTreeConfig } from "../../../../src/core/modules/source/treeConfig.js";

describe("readTreeConfig", () => {
  it("prefers the text model's own figures", () => {
    const config = readTreeConfig({
      model_type: "llava",
      architectures: ["LlavaForConditionalGeneration"],
      num_hidden_layers: 3,
      text_config: { model_type: "llama", num_hidden_layers: 4, hidden_act: "silu" },
      vision_config: { model_type: "clip_vision_model", hidden_act: "quick_gelu" },
    });
    expect(config).toMatchObject({
      modelType: "llava",
      architecture: "LlavaForConditionalGeneration",
      textType: "llama",
      visionType: "clip_vision_model",
      declaredLayers: 4,
      activation: "silu",
      visionActivation: "quick_gelu",
    });
  });

  it.each(["num_hidden_layers", "n_layer", "n_layers", "num_layers"])("reads %s", (key) => {
    expect(readTreeConfig({ [key]: 7 }).declaredLayers).toBe(7);
  });

  it.each([null, 1, "x", [], { num_hidden_layers: -1 }, { num_hidden_layers: 1.5 }, { num_hidden_layers: 1e9 }])(
    "takes nothing from %j",
    (json) => {
      const config = readTreeConfig(json);
      expect([config.modelType, config.architecture, config.declaredLayers]).toEqual([undefined, undefined, undefined]);
    },
  );
});

describe("declaresImpossibleLayers", () => {
  it.each([
    [{ num_hidden_layers: -1 }, true],
    [{ n_layer: [1] }, true],
    [{ text_config: { num_hidden_layers: 2 ** 40 } }, true],
    [{ num_hidden_layers: 4 }, false],
    [{ num_hidden_layers: null }, false],
    [null, false],
  ])("of %j is %s", (json, expected) => {
    expect(declaresImpossibleLayers(json)).toBe(expected);
  });
});
