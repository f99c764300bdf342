import type { ConfigValues } from "../configValues.js";

/**
 * Which of the modules that a blueprint leaves open (`?`, and the children after `when`) a configuration builds, for one decoder
 * layer or, with layer -1, outside the decoder stack. Rules and defaults are those of transformers 5.
 */
export type OpenModules = (config: ConfigValues, layer: number) => readonly string[];

const preNorms = ["input_layernorm", "post_attention_layernorm"];
const gated = ["gate_proj", "up_proj"];
const queryKeyNorms = ["q_norm", "k_norm"];
const standard = [...preNorms, ...gated];
const feedForwardNorms = ["pre_feedforward_layernorm", "post_feedforward_layernorm"];
const postNorms = ["post_attention_layernorm", "post_feedforward_layernorm", ...queryKeyNorms, ...gated];

const always =
  (...names: string[]): OpenModules =>
  () =>
    names;
const when = (condition: boolean, ...names: string[]) => (condition ? names : []);

/** Sparse from layer `first_k_dense_replace` on, or as `mlp_layer_types` says. */
function isSparse(config: ConfigValues, layer: number, denseLayers: number): boolean {
  const types = config.list("mlp_layer_types");
  return types === undefined ? layer >= config.count("first_k_dense_replace", denseLayers) : types[layer] === "sparse";
}

function deepSeek(denseLayers: number, more: OpenModules = always()): OpenModules {
  return (config, layer) => [
    ...standard,
    ...when(isSparse(config, layer, denseLayers), "experts"),
    ...when(config.count("n_shared_experts", 1) > 0, "shared_experts"),
    ...more(config, layer),
  ];
}

const latentQueries: OpenModules = (config) =>
  config.has("q_lora_rank") ? ["q_a_proj", "q_a_layernorm", "q_b_proj"] : ["q_proj"];

/** Layers whose `indexer_types` say "shared" use the indexer of an earlier one. */
const sparseAttention: OpenModules = (config, layer) => [
  ...latentQueries(config, layer),
  ...when(hasIndexer(config, layer), "indexer"),
];

function hasIndexer(config: ConfigValues, layer: number): boolean {
  const type = config.list("indexer_types")?.[layer] ?? config.text("index_topk_pattern")?.[layer];
  if (typeof type === "string") return !type.toUpperCase().startsWith("S");
  const every = Math.max(1, config.count("index_topk_freq", 1));
  return Math.max(0, layer - config.count("index_skip_topk_offset", 2) + 1) % every === 0;
}

/** Attention kinds by `layer_types`, or by the compression ratios of the original configuration. */
const deepSeekV4: OpenModules = (config, layer) => {
  const ratio = config.list("compress_ratios")?.[layer];
  const byRatio =
    ratio === 0 ? "sliding" : ratio === 4 ? "compressed_sparse_attention" : "heavily_compressed_attention";
  const byDefault = layer < 2 || layer % 2 === 0 ? "heavily_compressed_attention" : "compressed_sparse_attention";
  const type = config.list("layer_types")?.[layer] ?? (config.has("compress_ratios") ? byRatio : byDefault);
  const hashed =
    config.list("mlp_layer_types")?.[layer] ?? (layer < config.count("num_hash_layers", 3) ? "hash_moe" : "moe");
  return [
    ...when(type === "compressed_sparse_attention", "compressor", "indexer"),
    ...when(type === "heavily_compressed_attention", "compressor"),
    ...when(hashed === "hash_moe", "hash"),
  ];
};

const miniMax: OpenModules = (config, layer) => {
  const type = config.list("layer_types")?.[layer] ?? (layer % 2 === 0 ? "full_attention" : "linear_attention");
  return [...standard, "experts", ...when(type !== "full_attention", "qkv_proj")];
};

/** Qwen's mixtures: every `decoder_sparse_step`-th layer except those in `mlp_only_layers`. */
function qwenSparse(config: ConfigValues, layer: number): boolean {
  const step = Math.max(1, config.count("decoder_sparse_step", 1));
  const dense = config.list("mlp_only_layers") ?? [];
  return !dense.includes(layer) && config.count("num_experts", 1) > 0 && (layer + 1) % step === 0;
}

const qwenMixture: OpenModules = (config, layer) => [...standard, ...when(qwenSparse(config, layer), "experts")];
const sharedExpert = ["shared_expert", "shared_expert_gate"];

function isFullAttention(config: ConfigValues, layer: number, interval: number): boolean {
  const type = config.list("layer_types")?.[layer];
  if (typeof type === "string") return type === "full_attention";
  return (layer + 1) % Math.max(1, config.count("full_attention_interval", interval)) === 0;
}

const hybridAttention: OpenModules = (config, layer) =>
  isFullAttention(config, layer, 4) ? ["self_attn", ...queryKeyNorms] : ["linear_attn"];
const qwen35Dense: OpenModules = (config, layer) => [...standard, ...hybridAttention(config, layer)];
const qwen35Mixture: OpenModules = (config, layer) => [...qwen35Dense(config, layer), "experts", ...sharedExpert];

const ernieMixture: OpenModules = (config, layer) => {
  const last = config.count("moe_layer_end_index", Number.POSITIVE_INFINITY);
  const interval = Math.max(1, config.count("moe_layer_interval", 1));
  const sparse = (layer + 1) % interval === 0 && layer >= config.count("moe_layer_start_index", 1) && layer <= last;
  return [
    ...standard,
    ...when(sparse, "experts"),
    ...when(config.count("moe_num_shared_experts", 2) > 0, "shared_experts"),
  ];
};

/** Kimi counts layers from 1 in `linear_attn_config`; transformers' own files have `layer_types`. */
const kimiLinear: OpenModules = (config, layer) => {
  const full = config.section("linear_attn_config").list("full_attn_layers");
  const isFull =
    full !== undefined && !config.has("layer_types") ? full.includes(layer + 1) : isFullAttention(config, layer, 4);
  const shared = config.count("num_shared_experts", 1) > 0;
  return [
    ...standard,
    ...when(!isFull, "forget_gate"),
    ...when(isSparse(config, layer, 1), "experts"),
    ...when(shared, "shared_experts"),
  ];
};

const falcon: OpenModules = (config) => {
  const isNew = config.flag("new_decoder_architecture", false);
  const isParallel = config.flag("parallel_attn", true);
  const norms = config.has("num_ln_in_parallel_attn") ? config.count("num_ln_in_parallel_attn", 1) : isNew ? 2 : 1;
  if (!isParallel) return preNorms;
  return norms === 2 && isNew ? ["ln_attn", "ln_mlp"] : ["input_layernorm"];
};

const stableLm: OpenModules = (config) => [
  ...(config.flag("use_parallel_residual", false) ? ["input_layernorm", ...gated] : standard),
  ...when(config.flag("qk_layernorm", false), "q_layernorm", "k_layernorm"),
];

const opt: OpenModules = (config) => [
  ...when(
    config.count("word_embed_proj_dim", config.count("hidden_size", 0)) !== config.count("hidden_size", 0),
    "project_out",
    "project_in",
  ),
  ...when(
    config.flag("do_layer_norm_before", true) && !config.flag("_remove_final_layer_norm", false),
    "final_layer_norm",
  ),
];

const mllama: OpenModules = (config, layer) =>
  when((config.list("cross_attention_layers") ?? []).includes(layer), "cross_attn");

const siglipHead: OpenModules = (config, layer) =>
  when(layer < 0 && config.visionFlag("vision_use_head", true), "head");

/** By `model_type` of the text model, or of the whole model where its text model has no type of its own. */
const byType: ReadonlyMap<string, OpenModules> = new Map<string, OpenModules>([
  ["qwen3", always(...standard, ...queryKeyNorms)],
  ["arcee", always(...preNorms, "up_proj")],
  ["apertus", always("up_proj", ...queryKeyNorms)],
  ["gemma2", always(...standard, ...feedForwardNorms)],
  ["gemma3_text", always(...standard, ...feedForwardNorms, ...queryKeyNorms)],
  ["cohere", (config) => ["input_layernorm", ...gated, ...when(config.flag("use_qk_norm", false), ...queryKeyNorms)]],
  ["cohere2", always("input_layernorm", ...gated)],
  ["olmo2", always(...postNorms)],
  ["olmo3", always(...postNorms)],
  ["exaone4", always(...postNorms)],
  ["glm4", always(...preNorms, "post_self_attn_layernorm", "post_mlp_layernorm")],
  ["stablelm", stableLm],
  ["phi", (config) => when(config.flag("qk_layernorm", false), "q_layernorm", "k_layernorm")],
  ["gpt2", (config) => when(config.flag("add_cross_attention", false), "crossattention", "ln_cross_attn")],
  ["falcon", falcon],
  ["opt", opt],
  ["mixtral", always(...standard, "experts")],
  ["minimax_m2", always(...standard, "experts", ...queryKeyNorms)],
  ["phimoe", always(...standard, "experts")],
  ["olmoe", always(...standard, "experts", ...queryKeyNorms)],
  ["flex_olmo", always(...postNorms, "experts")],
  ["gpt_oss", always(...preNorms)],
  [
    "granitemoeshared",
    (config) => [...standard, ...when(config.count("shared_intermediate_size", 1024) > 0, "shared_mlp")],
  ],
  ["qwen2_moe", (config, layer) => [...qwenMixture(config, layer), ...sharedExpert]],
  ["qwen3_moe", (config, layer) => [...qwenMixture(config, layer), ...queryKeyNorms]],
  ["qwen3_vl", always(...standard, ...queryKeyNorms)],
  ["qwen3_vl_moe", (config, layer) => [...qwenMixture(config, layer), ...queryKeyNorms]],
  ["qwen2_vl", (_, layer) => (layer < 0 ? [] : standard)],
  ["qwen2_5_vl", (_, layer) => (layer < 0 ? ["gate_proj"] : standard)],
  [
    "qwen3_next",
    (config, layer) => [...qwenMixture(config, layer), ...sharedExpert, ...hybridAttention(config, layer)],
  ],
  ["qwen3_5", qwen35Dense],
  ["qwen3_5_text", qwen35Dense],
  ["qwen3_5_moe", qwen35Mixture],
  ["qwen3_5_moe_text", qwen35Mixture],
  ["ernie4_5_moe", ernieMixture],
  ["qwen3_omni_moe", (config, layer) => [...qwenMixture(config, layer), ...queryKeyNorms]],
  ["qwen3_omni_moe_thinker", (config, layer) => [...qwenMixture(config, layer), ...queryKeyNorms]],
  ["deepseek_v2", deepSeek(0, latentQueries)],
  ["deepseek_v3", deepSeek(3, latentQueries)],
  ["deepseek_v32", deepSeek(3, sparseAttention)],
  ["glm_moe_dsa", deepSeek(3, sparseAttention)],
  ["deepseek_v4", deepSeekV4],
  ["minimax", miniMax],
  ["glm4_moe_lite", deepSeek(1, latentQueries)],
  ["glm4_moe", deepSeek(1, (config) => when(config.flag("use_qk_norm", false), ...queryKeyNorms))],
  ["dots1", deepSeek(0, always(...queryKeyNorms))],
  ["kimi_linear", kimiLinear],
  ["mllama_text", mllama],
  ["mllama_text_model", mllama],
  ["mllama", mllama],
]);

/** The rules for a model; families without their own have Llama's norms and gated MLP. `types` are tried in order. */
export function openModulesOf(types: readonly (string | undefined)[]): OpenModules {
  const own = types.map((type) => byType.get(type ?? "")).find((rules) => rules !== undefined) ?? always(...standard);
  return (config, layer) => [...own(config, layer), ...siglipHead(config, layer)];
}
