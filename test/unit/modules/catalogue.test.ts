import { describe, expect, it } from "vitest";
import { catalogueConfig } from "../../../src/core/modules/catalogue.js";
import { configTree } from "../../../src/core/modules/configTree.js";

describe("catalogueConfig", () => {
  it("knows models with and without the usual suffixes, in any case", () => {
    expect(catalogueConfig("qwen/qwen3-8b")).toMatchObject({ num_hidden_layers: 36, hidden_size: 4096 });
    expect(catalogueConfig("Qwen/Qwen2.5-7B-Instruct")).toMatchObject({ num_hidden_layers: 28, hidden_size: 3584 });
    expect(catalogueConfig("meta-llama/Llama-3.3-70B-Instruct")).toMatchObject({ num_hidden_layers: 80 });
    expect(catalogueConfig("nobody/nothing")).toBeUndefined();
    expect(catalogueConfig("__proto__")).toBeUndefined();
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
