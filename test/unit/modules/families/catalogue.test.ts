import { describe, expect, it } from "vitest";
import { catalogueConfig } from "../../../../src/core/modules/families/catalogue.js";
import { configTree } from "../../../../src/core/modules/source/configTree.js";

describe("catalogueConfig", () => {
  it("knows models with and without the usual suffixes, in any case", () => {
    expect(catalogueConfig("qwen/qwen3-8b")).toMatchObject({ num_hidden_layers: 36, hidden_size: 4096 });
    expect(catalogueConfig("Qwen/Qwen2.5-7B-Instruct")).toMatchObject({ num_hidden_layers: 28, hidden_size: 3584 });
    expect(catalogueConfig("meta-llama/Llama-3.3-70B-Instruct")).toMatchObject({ num_hidden_layers: 80 });
    expect(catalogueConfig("nobody/nothing")).toBeUndefined();
    expect(catalogueConfig("__proto__")).toBeUndefined();
  });

  // Parameters as their publishers count them: every dimension that a profile needs is in the sum.
  it.each([
    ["Qwen/Qwen2.5-0.5B", 494_032_768],
    ["Qwen/Qwen2.5-7B", 7_615_616_512],
    ["Qwen/Qwen3-8B", 8_190_735_360],
    ["meta-llama/Llama-2-7b-hf", 6_738_415_616],
    ["meta-llama/Llama-3.1-8B", 8_030_261_248],
    ["meta-llama/Llama-3.2-1B", 1_235_814_400],
    ["mistralai/Mistral-7B-v0.1", 7_241_732_096],
    ["mistralai/Mistral-7B-v0.3", 7_248_023_552],
  ])("%s has %i parameters", (id, parameters) => {
    expect(parametersOf(catalogueConfig(id) ?? {})).toBe(parameters);
  });

  it.each([
    ["Qwen/Qwen3-30B-A3B", 48],
    ["deepseek-ai/DeepSeek-V3", 61],
    ["openai/gpt-oss-20b", 24],
    ["google/gemma-2-9b", 42],
    ["mistralai/Mixtral-8x7B-v0.1", 32],
    ["Qwen/Qwen2.5-VL-7B-Instruct", 28],
  ])("%s gives a tree with %i decoder layers", (id, layers) => {
    const tree = configTree(catalogueConfig(id));
    if (!tree.ok) throw new Error(tree.problem.code);
    const names = tree.value.modules.filter(({ name }) => /(^model|language_model)\.layers\.\d+$/.test(name));
    expect(names).toHaveLength(layers);
  });
});

/** Of a decoder with gated MLP: weights of the projections, norms, embedding and head, with what two families add. */
function parametersOf(config: Readonly<Record<string, unknown>>): number {
  const size = (key: string): number => Number(config[key]);
  const hidden = size("hidden_size");
  const head = config.head_dim === undefined ? hidden / size("num_attention_heads") : size("head_dim");
  const queries = size("num_attention_heads") * head;
  const projected = queries + 2 * size("num_key_value_heads") * head;
  const bias = config.model_type === "qwen2" ? projected : 0;
  const headNorms = config.model_type === "qwen3" ? 2 * head : 0;
  const attention = hidden * projected + bias + queries * hidden + headNorms;
  const layer = attention + 3 * hidden * size("intermediate_size") + 2 * hidden;
  const tables = config.tie_word_embeddings === true ? 1 : 2;
  return size("num_hidden_layers") * layer + tables * size("vocab_size") * hidden + hidden;
}
