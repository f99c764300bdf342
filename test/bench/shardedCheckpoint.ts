import type { FileSource } from "../../src/core/base/files.js";
import { selectModules } from "../../src/core/modules/selection/select.js";
import { loadCheckpointTree } from "../../src/core/modules/source/checkpoint.js";
import { memoryFiles, tensorFile } from "../unit/modules/memoryFiles.js";
import type { LimitedComparison } from "./editChecks.js";

const layers = 130;
const experts = 256;
const shardCount = 200;
/** A parser makes an entry of every name, which is not needed here. */
const mostRatio = 1.5;

/** Tensor names of a mixture-of-experts model, about 100,000. */
function tensorNames(): string[] {
  const names = ["model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"];
  for (let layer = 0; layer < layers; layer += 1) {
    const base = `model.layers.${layer}`;
    for (const part of ["q_proj", "k_proj", "v_proj", "o_proj"]) names.push(`${base}.self_attn.${part}.weight`);
    names.push(`${base}.input_layernorm.weight`, `${base}.post_attention_layernorm.weight`, `${base}.mlp.gate.weight`);
    for (let expert = 0; expert < experts; expert += 1) {
      for (const part of ["gate", "up", "down"]) names.push(`${base}.mlp.experts.${expert}.${part}_proj.weight`);
    }
  }
  return names;
}

function shardName(at: number): string {
  return `model-${String(at + 1).padStart(5, "0")}-of-${String(shardCount).padStart(5, "0")}.safetensors`;
}

function checkpointFiles(names: readonly string[]): Map<string, Uint8Array> {
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const perShard = Math.ceil(names.length / shardCount);
  const map = Object.fromEntries(names.map((name, at) => [name, shardName(Math.floor(at / perShard))]));
  const config = { model_type: "qwen3_moe", architectures: ["Qwen3MoeForCausalLM"], num_hidden_layers: layers };
  const files = new Map<string, Uint8Array>([
    ["model/config.json", encode(config)],
    ["model/model.safetensors.index.json", encode({ weight_map: map })],
  ]);
  for (let at = 0; at < shardCount; at += 1) {
    files.set(`model/${shardName(at)}`, tensorFile(names.slice(at * perShard, (at + 1) * perShard)));
  }
  return files;
}

/** Counts what is read, so that a reader that touches the data cannot go unseen. */
function counting(files: FileSource): { readonly files: FileSource; readBytes(): number } {
  let bytes = 0;
  const readBytes: FileSource["readBytes"] = async (path, offset, length) => {
    const read = await files.readBytes(path, offset, length);
    if (read.ok) bytes += read.value.length;
    return read;
  };
  return { files: { ...files, readBytes }, readBytes: () => bytes };
}

function headersOf(entries: ReadonlyMap<string, Uint8Array>): string[] {
  return [...entries].map(([name, bytes]) => {
    if (!name.endsWith(".safetensors")) return new TextDecoder().decode(bytes);
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    return new TextDecoder().decode(bytes.subarray(8, 8 + length));
  });
}

/** From an index and 200 shards to the first preview of a selection, headers only. */
export async function shardedCheckpoint(): Promise<LimitedComparison> {
  const names = tensorNames();
  const entries = checkpointFiles(names);
  const headers = headersOf(entries);
  const watched = counting(memoryFiles(entries));
  const preview = async () => {
    const tree = await loadCheckpointTree(watched.files, "model");
    if (!tree.ok) throw new Error(tree.problem.message);
    return selectModules(tree.value, ["model.layers.{*}"]);
  };
  const { depth } = await preview();
  if (depth !== layers) throw new Error(`${depth} layers are selected`);
  const headerBytes = headers.reduce((sum, text) => sum + text.length, 0) + 8 * shardCount;
  if (watched.readBytes() !== headerBytes)
    throw new Error(`${watched.readBytes()} bytes read, headers have ${headerBytes}`);
  return {
    ours: "index and shard headers to the first preview, headers only",
    reference: "JSON.parse of the same texts",
    input: `${names.length.toLocaleString("en")} tensors in ${shardCount} shards`,
    run: preview,
    mostRatio,
    runReference: () => headers.map((text) => JSON.parse(text)),
  };
}
