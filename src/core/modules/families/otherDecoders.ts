import { indent } from "./blueprint.js";

/** Bodies of decoders that are not shaped like Llama, in the order of their definition in transformers. */

export const gpt2Body = `
wte Embedding
wpe Embedding
drop! Dropout
h[n] @Block
  ln_1 LayerNorm
  attn @Attention
    c_attn Conv1D
    c_proj Conv1D
    attn_dropout! Dropout
    resid_dropout! Dropout
  ln_2 LayerNorm
  crossattention? @Attention
    c_attn Conv1D
    q_attn Conv1D
    c_proj Conv1D
    attn_dropout! Dropout
    resid_dropout! Dropout
  ln_cross_attn? LayerNorm
  mlp @MLP
    c_fc Conv1D
    c_proj Conv1D
    act! %act
    dropout! Dropout
ln_f LayerNorm`;

export const gptBigCodeBody = `
wte Embedding
wpe Embedding
drop! Dropout
h[n] @Block
  ln_1 LayerNorm
  attn @Attention
    c_attn Linear
    c_proj Linear
    resid_dropout! Dropout
  ln_2 LayerNorm
  mlp @MLP
    c_fc Linear
    c_proj Linear
    act! %act
    dropout! Dropout
ln_f LayerNorm`;

export const gptJBody = `
wte Embedding
drop! Dropout
h[n] @Block
  ln_1 LayerNorm
  attn @Attention
    attn_dropout! Dropout
    resid_dropout! Dropout
    k_proj Linear
    v_proj Linear
    q_proj Linear
    out_proj Linear
  mlp @MLP
    fc_in Linear
    fc_out Linear
    act! %act
    dropout! Dropout
ln_f LayerNorm`;

export const bloomBody = `
word_embeddings Embedding
word_embeddings_layernorm LayerNorm
h[n] @Block
  input_layernorm LayerNorm
  self_attention @Attention
    query_key_value Linear
    dense Linear
    attention_dropout! Dropout
  post_attention_layernorm LayerNorm
  mlp @MLP
    dense_h_to_4h Linear
    gelu_impl! BloomGelu
    dense_4h_to_h Linear
ln_f LayerNorm`;

export const falconBody = `
word_embeddings Embedding
h[n] @DecoderLayer
  self_attention @Attention
    query_key_value @Linear
    dense @Linear
    attention_dropout! Dropout
  mlp @MLP
    dense_h_to_4h @Linear
    act! %act
    dense_4h_to_h @Linear
  ln_attn? LayerNorm
  ln_mlp? LayerNorm
  post_attention_layernorm? LayerNorm
  input_layernorm? LayerNorm
ln_f LayerNorm
rotary_emb! @RotaryEmbedding`;

export const gptNeoXBody = `
embed_in Embedding
emb_dropout! Dropout
layers[n] @Layer
  input_layernorm LayerNorm
  post_attention_layernorm LayerNorm
  post_attention_dropout! Dropout
  post_mlp_dropout! Dropout
  attention @Attention
    query_key_value Linear
    dense Linear
  mlp @MLP
    dense_h_to_4h Linear
    dense_4h_to_h Linear
    act! %act
final_layer_norm LayerNorm
rotary_emb! @RotaryEmbedding`;

export const optBody = `
decoder OPTDecoder
  embed_tokens Embedding
  embed_positions OPTLearnedPositionalEmbedding
  project_out? Linear
  project_in? Linear
  final_layer_norm? LayerNorm
  layers[n] OPTDecoderLayer
    self_attn OPTAttention
      k_proj Linear
      v_proj Linear
      q_proj Linear
      out_proj Linear
    activation_fn! %act
    self_attn_layer_norm LayerNorm
    fc1 Linear
    fc2 Linear
    final_layer_norm LayerNorm`;

export const mambaBody = `
embeddings Embedding
layers[n] @Block
  norm @RMSNorm
  mixer @Mixer
    conv1d Conv1d
    act! %act
    in_proj Linear
    x_proj Linear
    dt_proj Linear
    out_proj Linear
norm_f @RMSNorm`;

export const mamba2Body = `
embeddings Embedding
layers[n] @Block
  norm @RMSNorm
  mixer @Mixer
    act! %act
    conv1d Conv1d
    in_proj Linear
    norm MambaRMSNormGated
    out_proj Linear
norm_f @RMSNorm`;

export const falconMambaBody = `
embeddings Embedding
layers[n] @Block
  norm @RMSNorm
  mixer @Mixer
    conv1d Conv1d
    act! %act
    in_proj Linear
    x_proj Linear
    dt_proj Linear
    out_proj Linear
    dt_layernorm! @WeightlessRMSNorm
    b_layernorm! @WeightlessRMSNorm
    c_layernorm! @WeightlessRMSNorm
norm_f @RMSNorm`;

const compressorLines = `
kv_proj Linear
gate_proj Linear
kv_norm @RMSNorm`;

/** Layers carry plain sliding-window attention, or one of two compressors; the first ones route by a hash of the token. */
export const deepSeekV4Body = `
embed_tokens Embedding
layers[n] @DecoderLayer
  self_attn @Attention
    q_a_proj Linear
    q_a_norm @RMSNorm
    q_b_proj Linear
    q_b_norm! @UnweightedRMSNorm
    kv_proj Linear
    kv_norm @RMSNorm
    o_a_proj @GroupedLinear
    o_b_proj Linear
    compressor? @CSACompressor when indexer
${indent(compressorLines, 3)}
      rotary_emb! @RotaryEmbedding
      indexer @Indexer
${indent(compressorLines, 4)}
        q_b_proj Linear
        rotary_emb! @RotaryEmbedding
        scorer @IndexerScorer
          weights_proj Linear
    compressor? @HCACompressor
${indent(compressorLines, 3)}
      rotary_emb! @RotaryEmbedding
  mlp @SparseMoeBlock
    gate @HashRouter when hash
      score_fn! SqrtSoftplusActivation
    gate @TopKRouter
      score_fn! SqrtSoftplusActivation
    experts* @Experts
      act_fn! %act
    shared_experts @MLP
      gate_proj Linear
      up_proj Linear
      down_proj Linear
      act_fn! %act
  input_layernorm @RMSNorm
  post_attention_layernorm @RMSNorm
  attn_hc @HyperConnection
    input_norm! @UnweightedRMSNorm
  ffn_hc @HyperConnection
    input_norm! @UnweightedRMSNorm
norm @RMSNorm
rotary_emb! @RotaryEmbedding
hc_head @HyperHead
  input_norm! @UnweightedRMSNorm`;

export const phiBody = `
embed_tokens Embedding
layers[n] PhiDecoderLayer
  self_attn PhiAttention
    q_proj Linear
    k_proj Linear
    v_proj Linear
    dense Linear
    q_layernorm? LayerNorm
    k_layernorm? LayerNorm
  mlp PhiMLP
    activation_fn! %act
    fc1 Linear
    fc2 Linear
  input_layernorm LayerNorm
  resid_dropout! Dropout
rotary_emb! PhiRotaryEmbedding
embed_dropout! Dropout
final_layernorm LayerNorm`;

export const graniteMoeFeedForward = `
block_sparse_moe @MoE
  router @TopKRouter
  experts* @Experts
    act_fn! %act
shared_mlp? @MLP
  activation! %act
  input_linear Linear
  output_linear Linear`;

export const kimiLinearAttention = `
self_attn @DeltaAttention when forget_gate
  q_proj Linear
  k_proj Linear
  v_proj Linear
  conv1d Conv1d
  forget_gate @ForgetGate
    f_a_proj Linear
    f_b_proj Linear
  b_proj Linear
  g_a_proj Linear
  g_b_proj Linear
  o_norm @RMSNormGated
  o_proj Linear
self_attn @Attention
  q_proj Linear
  kv_a_proj_with_mqa Linear
  kv_a_layernorm @RMSNorm
  kv_b_proj Linear
  o_proj Linear`;

/** Layers of Qwen's hybrid models carry linear attention or full attention; the fused projections come before or after the norm. */
export function gatedDeltaAttention(kind: "joined projections" | "separate projections"): string {
  const joined = `
  conv1d Conv1d
  in_proj_qkvz Linear
  in_proj_ba Linear
  norm @RMSNormGated
  out_proj Linear`;
  const separate = `
  conv1d Conv1d
  norm @RMSNormGated
  out_proj Linear
  in_proj_qkv Linear
  in_proj_z Linear
  in_proj_b Linear
  in_proj_a Linear`;
  return `
linear_attn? @GatedDeltaNet
${kind === "joined projections" ? joined : separate}
self_attn? @Attention
  q_proj Linear
  k_proj Linear
  v_proj Linear
  o_proj Linear
  q_norm @RMSNorm
  k_norm @RMSNorm`;
}
