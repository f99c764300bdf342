import { describe, expect, it } from "vitest";
import { ConfigValues } from "../../../../src/core/modules/configValues.js";
import { openModulesOf } from "../../../../src/core/modules/families/openModules.js";

function sparseLayers(type: string, config: object, layers: number): number[] {
  const builds = openModulesOf([type]);
  const values = new ConfigValues(config);
  return Array.from({ length: layers }, (_, at) => at).filter((at) => builds(values, at).includes("experts"));
}

describe("openModulesOf", () => {
  it.each([
    ["qwen3_moe", { num_experts: 8, decoder_sparse_step: 2 }, [1, 3]],
    ["qwen3_moe", { num_experts: 8, mlp_only_layers: [0, 3] }, [1, 2]],
    ["qwen3_moe", { num_experts: 0 }, []],
    ["deepseek_v3", {}, [3]],
    ["deepseek_v3", { first_k_dense_replace: 1 }, [1, 2, 3]],
    ["glm_moe_dsa", { mlp_layer_types: ["sparse", "dense", "sparse", "dense"] }, [0, 2]],
    ["ernie4_5_moe", { moe_layer_start_index: 1, moe_layer_end_index: 2 }, [1, 2]],
    ["llama", {}, []],
  ])("%s with %j has experts in layers %j", (type, config, layers) => {
    expect(sparseLayers(type, config, 4)).toEqual(layers);
  });

  it("takes the first type that has rules", () => {
    const values = new ConfigValues({});
    expect(openModulesOf(["nothing_such", "qwen3"])(values, 0)).toContain("q_norm");
    expect(openModulesOf([undefined])(values, 0)).toEqual(openModulesOf(["llama"])(values, 0));
  });
});
