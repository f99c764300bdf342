import { describe, expect, it } from "vitest";
import { loadCheckpointTree } from "../../../../src/core/modules/source/checkpoint.js";
import { configTree } from "../../../../src/core/modules/source/configTree.js";
import { resolveModel } from "../../../../src/core/modules/source/resolveModel.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";
import { readTreeConfig } from "../../../../src/core/modules/source/treeConfig.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { builtConfigurations } from "../builtConfigurations.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

const kindOf = (json: object, names?: TensorNames) => resolveModel(json, readTreeConfig(json), names).kind;
const layers = { num_hidden_layers: 2 };

function built(name: string) {
  const found = builtConfigurations.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  const json = { ...found.config, model_type: found.model_type, architectures: [found.architecture] };
  return { json, modules: found.named_modules };
}

function fromConfig(json: unknown): ModuleTree {
  const tree = configTree(json);
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

async function fromCheckpoint(json: unknown, tensors: readonly string[]): Promise<ModuleTree> {
  const config = new TextEncoder().encode(JSON.stringify(json));
  const weights = tensorFile([...tensors].sort());
  const tree = await loadCheckpointTree(
    memoryFiles(
      new Map([
        ["m/config.json", config],
        ["m/model.safetensors", weights],
      ]),
    ),
    "m",
  );
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

describe("resolveModel", () => {
  it.each([
    [{ model_type: "qwen3", ...layers, hidden_act: "silu" }, "recorded"],
    [{ model_type: "jamba", architectures: ["JambaForCausalLM"], ...layers }, "recorded"],
    // Recorded, but not which layers are sparse: the tables know that rule.
    [{ model_type: "ernie4_5_moe", architectures: ["Ernie4_5_MoeForCausalLM"], ...layers }, "family"],
    [{ model_type: "qwen2_5_omni", thinker_config: { text_config: layers } }, "family"],
    [{ model_type: "qwen3" }, "family"],
    [{ model_type: "qwen3", num_hidden_layers: -1 }, "family"],
    [{ _class_name: "WanTransformer3DModel", num_layers: 2 }, "outline"],
    [{ model_type: "evolla", architectures: ["EvollaForProteinText2Text"], ...layers }, "recorded"],
    [{ model_type: "nothing_such", ...layers }, "guess"],
  ])("knows %j by what decides most: %s", (json, kind) => {
    expect(kindOf(json)).toBe(kind);
  });

  it("takes the same kind with tensors, which prove what the recording leaves open", () => {
    const names = TensorNames.of(["model.layers.0.mlp.down_proj.weight", "model.layers.1.mlp.down_proj.weight"]);
    expect(kindOf({ model_type: "qwen3", ...layers }, names)).toBe("recorded");
    expect(kindOf({ model_type: "nothing_such", ...layers }, names)).toBe("guess");
    expect(kindOf({ model_type: "qwen3", num_hidden_layers: "many" }, names)).toBe("family");
  });

  it("counts the layers of an OPT with its norms behind as any other's, by tensors too", async () => {
    const json = { ...built("opt-350").json, num_hidden_layers: 6 };
    const ofLayers = (tree: ModuleTree) => tree.modules.filter(({ type }) => type === "OPTDecoderLayer").length;
    expect(ofLayers(fromConfig(json))).toBe(6);
    const projections = ["k_proj", "v_proj", "q_proj", "out_proj"].map((name) => `self_attn.${name}`);
    const modules = [...projections, "self_attn_layer_norm", "fc1", "fc2", "final_layer_norm"];
    const tensors = [0, 1, 2, 3, 4, 5].flatMap((at) =>
      modules.map((name) => `model.decoder.layers.${at}.${name}.weight`),
    );
    expect(ofLayers(await fromCheckpoint(json, ["model.decoder.embed_tokens.weight", ...tensors]))).toBe(6);
  });

  it.each(["falcon-new", "gemma3"])(
    "builds %s, whose keys the recording left alone, from its tensors too",
    async (name) => {
      const { json, modules } = built(name);
      const rows = (tree: ModuleTree) => tree.modules.map((module) => [module.name, module.type]);
      expect(rows(fromConfig(json))).toEqual(modules);
      const owners = modules.filter(([, type]) =>
        /^(Linear|FalconLinear|LayerNorm|\w+RMSNorm|\w*Embedding|Conv2d)$/.test(type),
      );
      const tensors = owners.map(([path]) => `${path}.weight`).filter((path) => !path.startsWith("lm_head"));
      const projector = name === "gemma3" ? ["model.multi_modal_projector.mm_input_projection_weight"] : [];
      expect(rows(await fromCheckpoint(json, [...tensors, ...projector]))).toEqual(modules);
    },
  );
});
