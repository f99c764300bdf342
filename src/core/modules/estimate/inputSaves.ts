import { indexOf } from "../selection/moduleIndex.js";
import type { ModuleTree } from "../tree.js";

/** How often autograd saves the very tensor that a module is called with, and why. */
export interface InputSaves {
  /** Saves of the input itself; each is one copy. */
  readonly count: number;
  /** The saves are views, as linear layers make them of an input with three dimensions: each is cloned before it is taken. */
  readonly areViews?: true;
  readonly reason: string;
}

const inputNorms = [
  "input_layernorm",
  "ln_1",
  "norm1",
  "self_attn_layer_norm",
  "layer_norm1",
  "ln_attn",
  "attention_layernorm",
  "norm",
];
const projections =
  /^(q|k|v|qkv|gate|up|gate_up|q_a)_proj$|^(kv_a_proj_with_mqa|query_key_value|c_attn|c_fc|fc1|fc_in|dense_h_to_4h|in_proj\w*|w1|w3|Wqkv)$/;
const linear = /^(Linear|Conv1D|NonDynamicallyQuantizableLinear)$|Linear$/;

/**
 * Saves of its own input by a module that runs without checkpointing around it. Norms of transformers' own classes save an up-cast
 * copy of a bf16 input, so the input itself is not saved (measured on Qwen3: nothing moves); PyTorch's LayerNorm saves its input; a
 * linear layer saves it once, so three projections save it three times.
 */
export function inputSavesOf(tree: ModuleTree, name: string): InputSaves | undefined {
  const type = indexOf(tree).find(name)?.type;
  if (type === undefined) return undefined;
  if (type === "LayerNorm") return { count: 1, reason: "LayerNorm saves its input" };
  if (/Norm/.test(type)) return { count: 0, reason: `${type} saves an up-cast copy, not its input` };
  if (linear.test(type)) return { count: 1, areViews: true, reason: "a linear layer saves its input" };
  if (/Act|GELU|SiLU|ReLU|Dropout|Rotary/.test(type))
    return { count: 0, reason: `${type} is called with another tensor` };
  return ofChildren(tree, name);
}

/** Attention saves its own output, which is what its output projection reads. */
export function readsSavedOutput(name: string): boolean {
  return /(^|\.)(o_proj|out_proj)$|attn\.(c_proj|proj)$|attention\.dense$/.test(name);
}

/** Whether a module inside another is a projection that reads that one's input, by its name. */
export function isProjection(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return dot >= 0 && projections.test(name.slice(dot + 1));
}

/** The projections below a module, which all read the same input. */
export function projectionsOf(tree: ModuleTree, parent: string): readonly string[] {
  return indexOf(tree)
    .childrenOf(parent)
    .map((child) => child.name)
    .filter(isProjection);
}

function ofChildren(tree: ModuleTree, name: string): InputSaves | undefined {
  const children = indexOf(tree).childrenOf(name);
  const named = (text: string) => children.find((child) => child.name.slice(name.length + 1) === text);
  const norm = inputNorms.map(named).find((child) => child !== undefined);
  const normType = norm === undefined ? undefined : indexOf(tree).find(norm.name)?.type;
  if (normType === "LayerNorm") return { count: 1, reason: "its first norm is a LayerNorm, which saves its input" };
  if (normType !== undefined)
    return { count: 0, reason: `its first norm (${normType}) saves an up-cast copy, not its input` };
  const readers = children.filter((child) => projections.test(child.name.slice(name.length + 1)));
  if (readers.length > 0) {
    const shown = readers.map((child) => child.name.slice(name.length + 1)).join(", ");
    return { count: readers.length, areViews: true, reason: `saved by ${shown}` };
  }
  const attention = named("self_attn") ?? named("self_attention") ?? named("attn") ?? named("attention");
  return attention === undefined ? undefined : ofChildren(tree, attention.name);
}
