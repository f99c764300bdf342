import { indent } from "./blueprint.js";

/** Where a family departs from Llama's decoder; blocks are blueprint lines. */
export interface LlamaOptions {
  readonly norm?: string;
  readonly embedding?: string;
  /** Lines for the attention; several alternatives are allowed. */
  readonly attention?: string;
  /** Lines for the feed-forward part; several alternatives are allowed. */
  readonly feedForward?: string;
  /** Lines at the end of a layer, e.g. dropouts. */
  readonly layerTail?: string;
  readonly layerClass?: string;
  /** Name and class of the rotary embedding; "" where layers or nothing hold it. */
  readonly rotary?: string;
}

/** Projections by name; query and key norms exist where their tensors do. */
export function attention(norm = "@RMSNorm", name = "self_attn @Attention"): string {
  return `
${name}
  q_proj Linear
  k_proj Linear
  v_proj Linear
  o_proj Linear
  q_norm? ${norm}
  k_norm? ${norm}`;
}

/** Multi-head latent attention of the DeepSeek line: low-rank queries (or plain ones) and compressed keys and values. */
export const latentAttention = `
self_attn @Attention
  q_proj? Linear
  q_a_proj? Linear
  q_a_layernorm? @RMSNorm
  q_b_proj? Linear
  kv_a_proj_with_mqa Linear
  kv_a_layernorm @RMSNorm
  kv_b_proj Linear
  o_proj Linear`;

/** DeepSeek's sparse attention: latent attention and an indexer that picks the keys; layers may share one. */
export const sparseLatentAttention = `${latentAttention}
  indexer? @Indexer
    wq_b Linear
    wk Linear
    k_norm LayerNorm
    weights_proj Linear`;

/** Gated MLP with separate or joined gate and up projections. */
export const gatedMlp = `
mlp @MLP
  gate_proj? Linear
  up_proj? Linear
  gate_up_proj? Linear
  down_proj Linear
  act_fn! %act`;

const expertsLines = `
experts* @Experts
  act_fn! %act`;

const sharedExpertLines = ["shared_expert", "shared_experts"]
  .map(
    (name) => `
${name}? @MLP
  gate_proj Linear
  up_proj Linear
  down_proj Linear
  act_fn! %act`,
  )
  .join("");

/** A mixture of experts, its router defined before or after the experts; dense layers of the same model fall back to the MLP. */
export function mixture(
  order: "router first" | "experts first",
  blockClass = "@SparseMoeBlock",
  router = "gate @TopKRouter",
): string {
  const parts = order === "router first" ? `${router}${expertsLines}` : `${expertsLines}\n${router}`;
  return `
mlp ${blockClass} when experts
${indent(parts + sharedExpertLines, 1)}
  shared_expert_gate? Linear
${gatedMlp}`;
}

/** Embedding, decoder layers, final norm, rotary embedding: the body of Llama and of everything shaped like it. */
export function llamaBody(options: LlamaOptions = {}): string {
  const norm = options.norm ?? "@RMSNorm";
  const rotary = options.rotary ?? "rotary_emb! @RotaryEmbedding";
  return `
embed_tokens ${options.embedding ?? "Embedding"}
layers[n] ${options.layerClass ?? "@DecoderLayer"}
${indent(options.attention ?? attention(norm), 1)}
${indent(options.feedForward ?? gatedMlp, 1)}
  input_layernorm? ${norm}
  post_attention_layernorm? ${norm}
  pre_feedforward_layernorm? ${norm}
  post_feedforward_layernorm? ${norm}
  post_self_attn_layernorm? ${norm}
  post_mlp_layernorm? ${norm}
${indent(options.layerTail ?? "", 1)}
norm ${norm}
${rotary}`;
}
