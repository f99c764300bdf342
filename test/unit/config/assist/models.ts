import type { ModuleRow, ModuleTree } from "../../../../src/core/modules/tree.js";

/** A text model with four layers, as a tree file would describe it. */
export function tinyModel(): ModuleTree {
  const modules: ModuleRow[] = [
    { name: "", type: "TinyForCausalLM" },
    { name: "model", type: "TinyModel" },
    { name: "model.embed_tokens", type: "Embedding" },
    { name: "model.layers", type: "ModuleList" },
  ];
  for (let layer = 0; layer < 4; layer++) {
    modules.push(
      { name: `model.layers.${layer}`, type: "TinyDecoderLayer" },
      { name: `model.layers.${layer}.self_attn`, type: "TinyAttention" },
      { name: `model.layers.${layer}.mlp`, type: "TinyMLP" },
    );
  }
  modules.push({ name: "model.norm", type: "TinyRMSNorm" }, { name: "lm_head", type: "Linear" });
  return {
    source: "tree-file",
    exact: true,
    uncertain: [],
    architecture: "TinyForCausalLM",
    modules,
    containers: new Set(["model.layers"]),
    moduleDicts: new Set(),
    noSplitModules: ["TinyDecoderLayer"],
  };
}
