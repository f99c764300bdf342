import { loadCheckpointTree } from "../../src/core/modules/source/checkpoint.js";
import { memoryFiles, tensorFile } from "../unit/modules/memoryFiles.js";
import type { Comparison } from "./comparison.js";

const layers = 130;
const experts = 256;
const projections = ["gate_proj", "up_proj", "down_proj"];

/** About 100,000 tensors of a mixture-of-experts model. */
function tensorNames(): string[] {
  const names = ["model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"];
  for (let layer = 0; layer < layers; layer += 1) {
    const base = `model.layers.${layer}`;
    for (const part of ["q_proj", "k_proj", "v_proj", "o_proj"]) names.push(`${base}.self_attn.${part}.weight`);
    names.push(`${base}.input_layernorm.weight`, `${base}.post_attention_layernorm.weight`, `${base}.mlp.gate.weight`);
    for (let expert = 0; expert < experts; expert += 1) {
      for (const part of projections) names.push(`${base}.mlp.experts.${expert}.${part}.weight`);
    }
  }
  return names;
}

export async function checkpointTree(): Promise<Comparison> {
  const names = tensorNames();
  const file = tensorFile(names);
  const config = JSON.stringify({
    model_type: "qwen3_moe",
    architectures: ["Qwen3MoeForCausalLM"],
    num_hidden_layers: layers,
  });
  const entries = new Map([
    ["model/model.safetensors", file],
    ["model/config.json", new TextEncoder().encode(config)],
  ]);
  const files = memoryFiles(entries);
  const loaded = await loadCheckpointTree(files, "model");
  if (!loaded.ok) throw new Error(loaded.problem.message);
  const headerBytes = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = file.subarray(8, 8 + headerBytes);
  return {
    ours: "module tree from a safetensors header, checked",
    reference: "JSON.parse of the same header",
    input: `${names.length.toLocaleString("en")} tensors`,
    run: () => loadCheckpointTree(files, "model"),
    runReference: () => JSON.parse(new TextDecoder().decode(header)),
  };
}
