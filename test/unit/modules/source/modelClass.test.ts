import { describe, expect, it } from "vitest";
import {
  classNameOf,
  modelClassOf,
  moduleTensorNames,
  noSplitOf,
} from "../../../../src/core/modules/source/modelClass.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";
import { readTreeConfig } from "../../../../src/core/modules/source/treeConfig.js";

function classOf(config: object, tensors: readonly string[] = []) {
  const read = readTreeConfig(config);
  const model = modelClassOf(read, new Set(tensors));
  return { model, className: classNameOf(model, read), names: moduleTensorNames(model, TensorNames.of(tensors)) };
}

describe("modelClassOf", () => {
  it("takes the class with a head when config.json names none", () => {
    const { model } = classOf({ model_type: "gpt2" });
    expect(model).toMatchObject({ isKnown: true, isBare: false, rootType: "GPT2LMHeadModel" });
    expect(noSplitOf(model)).toEqual(["GPT2Block"]);
  });

  it.each([
    ["LlamaModel", true],
    ["Gemma3TextModel", true],
    ["GPT2LMHeadModel", false],
    ["LlamaForCausalLM", false],
    ["LlamaForTokenClassification", false],
  ])("sees whether %s is a bare body: %s", (architecture, isBare) => {
    expect(classOf({ model_type: "llama", architectures: [architecture] }).model.isBare).toBe(isBare);
  });

  it("chooses the text class of a model type that also has a vision class", () => {
    const text = classOf({ model_type: "qwen3_5", architectures: ["Qwen3_5ForCausalLM"] }, [
      "model.language_model.norm.weight",
      "model.visual.a.weight",
    ]);
    expect(text.names).toEqual(["model.norm.weight"]);
    const vision = classOf({ model_type: "qwen3_5", architectures: ["Qwen3_5ForConditionalGeneration"] }, [
      "model.visual.a.weight",
    ]);
    expect(vision.names).toEqual(["model.visual.a.weight"]);
  });

  it("derives class names of unknown families from the architecture", () => {
    const { model, className } = classOf({ model_type: "new", architectures: ["NewForCausalLM"], hidden_act: "gelu" });
    expect(model.isKnown).toBe(false);
    expect([className("@Attention"), className("%act"), className("Linear")]).toEqual([
      "NewAttention",
      "GELUActivation",
      "Linear",
    ]);
    expect(classOf({}).className("@Attention")).toBeUndefined();
  });
});

describe("moduleTensorNames", () => {
  it.each([
    ["mixtral", "model.layers.0.block_sparse_moe.gate.weight", "model.layers.0.mlp.gate.weight"],
    ["gpt_neox", "embed_out.weight", "lm_head.weight"],
    ["ernie4_5_moe", "model.layers.1.mlp.moe_statics.e", "model.layers.1.mlp.gate.moe_statics.e"],
    ["qwen2_vl", "visual.blocks.0.norm1.weight", "model.visual.blocks.0.norm1.weight"],
    ["qwen2_vl", "model.layers.0.mlp.up_proj.weight", "model.language_model.layers.0.mlp.up_proj.weight"],
    ["qwen2_vl", "model.language_model.norm.weight", "model.language_model.norm.weight"],
    ["opt", "decoder.layers.0.fc1.weight", "model.decoder.layers.0.fc1.weight"],
  ])("of %s turns %s into %s", (type, stored, built) => {
    expect(classOf({ model_type: type }, [stored]).names).toEqual([built]);
  });

  it("follows both older layouts of llava", () => {
    const config = {
      model_type: "llava",
      text_config: { model_type: "llama" },
      vision_config: { model_type: "clip_vision_model" },
    };
    const stored = [
      "language_model.lm_head.weight",
      "language_model.model.norm.weight",
      "vision_tower.vision_model.encoder.layers.0.mlp.fc1.weight",
    ];
    expect(classOf(config, stored).names).toEqual([
      "lm_head.weight",
      "model.language_model.norm.weight",
      "model.vision_tower.encoder.layers.0.mlp.fc1.weight",
    ]);
  });
});
