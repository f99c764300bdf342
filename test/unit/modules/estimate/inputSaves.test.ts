import { describe, expect, it } from "vitest";
import {
  inputSavesOf,
  isProjection,
  projectionsOf,
  readsSavedOutput,
} from "../../../../src/core/modules/estimate/inputSaves.js";
import { recordedTree } from "../recordedTrees.js";

const count = (tree: string, name: string) => inputSavesOf(recordedTree(tree).tree, name)?.count;

describe("inputSavesOf", () => {
  it.each([
    ["qwen3", "model.layers.0", 0],
    ["qwen3", "model.layers.0.self_attn", 3],
    ["qwen3", "model.layers.0.mlp", 2],
    ["qwen3", "model.layers.0.mlp.up_proj", 1],
    ["qwen3", "model.layers.0.input_layernorm", 0],
    ["phi3", "model.layers.0.self_attn", 1],
    ["gpt2", "transformer.h.0", 1],
    ["gpt2", "transformer.h.0.ln_1", 1],
    ["gpt2", "transformer.h.0.attn", 1],
    ["opt", "model.decoder.layers.0", 1],
    ["olmo2", "model.layers.0", 3],
    ["exaone4", "model.layers.0", 3],
    ["cohere", "model.layers.0", 0],
    ["deepseek_v3", "model.layers.0.self_attn", 2],
    ["mamba", "backbone.layers.0", 0],
    ["qwen3", "nowhere", undefined],
  ])("on %s, %s: %s", (tree, name, saves) => {
    expect(count(tree, name)).toBe(saves);
  });
});

describe("projectionsOf", () => {
  it("lists the projections of the same input, and none for other modules", () => {
    const { tree } = recordedTree("llama");
    const at = "model.layers.0";
    expect(projectionsOf(tree, `${at}.mlp`)).toEqual([`${at}.mlp.gate_proj`, `${at}.mlp.up_proj`]);
    expect(projectionsOf(tree, `${at}.self_attn`)).toHaveLength(3);
    expect(isProjection(`${at}.mlp.down_proj`)).toBe(false);
    expect(isProjection("lm_head")).toBe(false);
  });
});

describe("readsSavedOutput", () => {
  it("holds for the output projection of attention only", () => {
    const names = [
      "model.layers.0.self_attn.o_proj",
      "transformer.h.0.attn.c_proj",
      "gpt_neox.layers.0.attention.dense",
    ];
    expect(names.map(readsSavedOutput)).toEqual([true, true, true]);
    expect(["transformer.h.0.mlp.c_proj", "model.layers.0.mlp.down_proj", "lm_head"].some(readsSavedOutput)).toBe(
      false,
    );
  });
});
