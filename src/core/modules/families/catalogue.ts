/** Dimensions of a well-known model, in the form of a config.json. */
export type CatalogueConfig = Readonly<Record<string, unknown>>;

/** Layers, hidden size, feed-forward size, heads, key/value heads, and whether the head is tied to the embedding. */
type Dense = readonly [
  layers: number,
  hidden: number,
  feedForward: number,
  heads: number,
  keyValueHeads: number,
  tied?: "tied",
];

const dense = (modelType: string, architecture: string, more: CatalogueConfig, rows: Readonly<Record<string, Dense>>) =>
  Object.entries(rows).map(
    ([id, [layers, hidden, feedForward, heads, keyValueHeads, tied]]): [string, CatalogueConfig] => [
      id.toLowerCase(),
      {
        model_type: modelType,
        architectures: [architecture],
        num_hidden_layers: layers,
        hidden_size: hidden,
        intermediate_size: feedForward,
        num_attention_heads: heads,
        num_key_value_heads: keyValueHeads,
        tie_word_embeddings: tied !== undefined,
        ...more,
      },
    ],
  );

const qwen2 = [
  ...dense(
    "qwen2",
    "Qwen2ForCausalLM",
    { hidden_act: "silu", vocab_size: 151_936 },
    {
      "Qwen/Qwen2.5-0.5B": [24, 896, 4864, 14, 2, "tied"],
      "Qwen/Qwen2.5-1.5B": [28, 1536, 8960, 12, 2, "tied"],
      "Qwen/Qwen2.5-3B": [36, 2048, 11008, 16, 2, "tied"],
    },
  ),
  ...dense(
    "qwen2",
    "Qwen2ForCausalLM",
    { hidden_act: "silu", vocab_size: 152_064 },
    {
      "Qwen/Qwen2.5-7B": [28, 3584, 18944, 28, 4],
      "Qwen/Qwen2.5-14B": [48, 5120, 13824, 40, 8],
      "Qwen/Qwen2.5-32B": [64, 5120, 27648, 40, 8],
      "Qwen/Qwen2.5-72B": [80, 8192, 29568, 64, 8],
    },
  ),
];

const qwen3 = dense(
  "qwen3",
  "Qwen3ForCausalLM",
  { hidden_act: "silu", head_dim: 128, vocab_size: 151_936 },
  {
    "Qwen/Qwen3-0.6B": [28, 1024, 3072, 16, 8, "tied"],
    "Qwen/Qwen3-1.7B": [28, 2048, 6144, 16, 8, "tied"],
    "Qwen/Qwen3-4B": [36, 2560, 9728, 32, 8, "tied"],
    "Qwen/Qwen3-8B": [36, 4096, 12288, 32, 8],
    "Qwen/Qwen3-14B": [40, 5120, 17408, 40, 8],
    "Qwen/Qwen3-32B": [64, 5120, 25600, 64, 8],
  },
);

const qwen3Moe = [
  ...dense(
    "qwen3_moe",
    "Qwen3MoeForCausalLM",
    {
      hidden_act: "silu",
      head_dim: 128,
      num_experts: 128,
      num_experts_per_tok: 8,
      moe_intermediate_size: 768,
      vocab_size: 151_936,
    },
    {
      "Qwen/Qwen3-30B-A3B": [48, 2048, 6144, 32, 4],
    },
  ),
  ...dense(
    "qwen3_moe",
    "Qwen3MoeForCausalLM",
    {
      hidden_act: "silu",
      head_dim: 128,
      num_experts: 128,
      num_experts_per_tok: 8,
      moe_intermediate_size: 1536,
      vocab_size: 151_936,
    },
    {
      "Qwen/Qwen3-235B-A22B": [94, 4096, 12288, 64, 4],
    },
  ),
];

const llama = [
  ...dense(
    "llama",
    "LlamaForCausalLM",
    { hidden_act: "silu", vocab_size: 32_000 },
    {
      "meta-llama/Llama-2-7b-hf": [32, 4096, 11008, 32, 32],
      "meta-llama/Llama-2-13b-hf": [40, 5120, 13824, 40, 40],
      "meta-llama/Llama-2-70b-hf": [80, 8192, 28672, 64, 8],
    },
  ),
  ...dense(
    "llama",
    "LlamaForCausalLM",
    { hidden_act: "silu", vocab_size: 128_256 },
    {
      "meta-llama/Meta-Llama-3-8B": [32, 4096, 14336, 32, 8],
      "meta-llama/Llama-3.1-8B": [32, 4096, 14336, 32, 8],
      "meta-llama/Llama-3.1-70B": [80, 8192, 28672, 64, 8],
      "meta-llama/Llama-3.3-70B-Instruct": [80, 8192, 28672, 64, 8],
      "meta-llama/Llama-3.2-1B": [16, 2048, 8192, 32, 8, "tied"],
      "meta-llama/Llama-3.2-3B": [28, 3072, 8192, 24, 8, "tied"],
    },
  ),
];

const others = [
  ...dense(
    "mistral",
    "MistralForCausalLM",
    { hidden_act: "silu", vocab_size: 32_000, sliding_window: 4096 },
    {
      "mistralai/Mistral-7B-v0.1": [32, 4096, 14336, 32, 8],
    },
  ),
  ...dense(
    "mistral",
    "MistralForCausalLM",
    { hidden_act: "silu", vocab_size: 32_768 },
    {
      "mistralai/Mistral-7B-v0.3": [32, 4096, 14336, 32, 8],
    },
  ),
  ...dense(
    "mixtral",
    "MixtralForCausalLM",
    { hidden_act: "silu", num_local_experts: 8, num_experts_per_tok: 2, vocab_size: 32_000 },
    {
      "mistralai/Mixtral-8x7B-v0.1": [32, 4096, 14336, 32, 8],
      "mistralai/Mixtral-8x22B-v0.1": [56, 6144, 16384, 48, 8],
    },
  ),
  ...dense(
    "seed_oss",
    "SeedOssForCausalLM",
    { hidden_act: "silu", head_dim: 128, attention_bias: true, attention_out_bias: false, vocab_size: 155_136 },
    {
      "ByteDance-Seed/Seed-OSS-36B-Instruct": [64, 5120, 27648, 80, 8],
    },
  ),
  ...dense(
    "gpt_oss",
    "GptOssForCausalLM",
    {
      head_dim: 64,
      num_local_experts: 32,
      num_experts_per_tok: 4,
      attention_bias: true,
      sliding_window: 128,
      vocab_size: 201_088,
    },
    {
      "openai/gpt-oss-20b": [24, 2880, 2880, 64, 8],
    },
  ),
  ...dense(
    "gpt_oss",
    "GptOssForCausalLM",
    {
      head_dim: 64,
      num_local_experts: 128,
      num_experts_per_tok: 4,
      attention_bias: true,
      sliding_window: 128,
      vocab_size: 201_088,
    },
    {
      "openai/gpt-oss-120b": [36, 2880, 2880, 64, 8],
    },
  ),
  ...dense(
    "gemma2",
    "Gemma2ForCausalLM",
    { hidden_activation: "gelu_pytorch_tanh", head_dim: 256, sliding_window: 4096, vocab_size: 256_000 },
    {
      "google/gemma-2-2b": [26, 2304, 9216, 8, 4, "tied"],
      "google/gemma-2-9b": [42, 3584, 14336, 16, 8, "tied"],
    },
  ),
  ...dense(
    "deepseek_v3",
    "DeepseekV3ForCausalLM",
    {
      hidden_act: "silu",
      first_k_dense_replace: 3,
      n_routed_experts: 256,
      n_shared_experts: 1,
      num_experts_per_tok: 8,
      moe_intermediate_size: 2048,
      q_lora_rank: 1536,
      kv_lora_rank: 512,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      vocab_size: 129_280,
    },
    {
      "deepseek-ai/DeepSeek-V3": [61, 7168, 18432, 128, 128],
      "deepseek-ai/DeepSeek-R1": [61, 7168, 18432, 128, 128],
    },
  ),
];

const qwen25Vision = { depth: 32, hidden_size: 1280, num_heads: 16, hidden_act: "silu" };
const visionLanguage = [
  ...dense(
    "qwen2_5_vl",
    "Qwen2_5_VLForConditionalGeneration",
    { hidden_act: "silu", vision_config: qwen25Vision, vocab_size: 151_936 },
    {
      "Qwen/Qwen2.5-VL-3B-Instruct": [36, 2048, 11008, 16, 2, "tied"],
    },
  ),
  ...dense(
    "qwen2_5_vl",
    "Qwen2_5_VLForConditionalGeneration",
    { hidden_act: "silu", vision_config: qwen25Vision, vocab_size: 152_064 },
    {
      "Qwen/Qwen2.5-VL-7B-Instruct": [28, 3584, 18944, 28, 4],
      "Qwen/Qwen2.5-VL-72B-Instruct": [80, 8192, 29568, 64, 8],
    },
  ),
];

const byId: ReadonlyMap<string, CatalogueConfig> = new Map([
  ...qwen2,
  ...qwen3,
  ...qwen3Moe,
  ...llama,
  ...others,
  ...visionLanguage,
]);

/** What the catalogue's figures are, for the list of uncertain things. */
export const catalogueSource =
  "The dimensions come from the built-in catalogue, after the published config.json of the model.";

/** Dimensions by hub id, with or without `-Instruct` or `-Base`; letter case does not count. `undefined` for a model that is not there. */
export function catalogueConfig(id: string): CatalogueConfig | undefined {
  const name = id.toLowerCase();
  return byId.get(name) ?? byId.get(name.replace(/-(instruct|base|chat)$/, "")) ?? byId.get(`${name}-instruct`);
}
