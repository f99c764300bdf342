import { decoderFamilyOf } from "../decoderFamilies.js";
import { type Family, family, type Rename } from "./family.js";
import { attention, latentAttention, llamaBody, mixture, sparseLatentAttention } from "./llamaLike.js";
import {
  bloomBody,
  deepSeekV4Body,
  falconBody,
  falconMambaBody,
  gatedDeltaAttention,
  gpt2Body,
  gptBigCodeBody,
  gptJBody,
  gptNeoXBody,
  graniteMoeFeedForward,
  kimiLinearAttention,
  mamba2Body,
  mambaBody,
  optBody,
  phiBody,
} from "./otherDecoders.js";

const predictionLayers = /^(model\.)?mtp\./;
const visionParts = /^(model\.)?(visual|vision_tower|multi_modal_projector|mtp)\./;
const blockSparseToMlp: readonly Rename[] = [{ from: /\.block_sparse_moe\./, to: ".mlp." }];
const textOfVisionModel: readonly Rename[] = [{ from: /^model\.language_model\./, to: "model." }];

const gemma = (prefix: string, more: Partial<Family> = {}) =>
  family(prefix, llamaBody({ embedding: "@TextScaledWordEmbedding" }), more);

const layerNormMlp = `
mlp @MLP
  c_fc Linear
  c_proj Linear
  act! %act`;

const joinedAttention = `
self_attn @Attention
  o_proj Linear
  qkv_proj Linear`;

const joinedMlp = `
mlp @MLP
  gate_up_proj Linear
  down_proj Linear
  activation_fn! %act`;

const ernieMixture = mixture("router first", "@SparseMoeBlock", "gate @TopKRouter\n  moe_statics @Statics");
const gptOssFeedForward = `
mlp @MLP
  router @TopKRouter
  experts* @Experts`;

const headNorms = `
self_attn @Attention
  q_proj Linear
  k_proj Linear
  v_proj Linear
  o_proj Linear
  q_layernorm? @LayerNormPerHead
    norms[num_attention_heads] LayerNorm
  k_layernorm? @LayerNormPerHead
    norms[num_key_value_heads] LayerNorm`;

const phiMixture = mixture("router first", "@SparseMoeBlock", "router @TopKRouter");

const lightningAttention = `
self_attn @LightningAttention when qkv_proj
  act_fn! %act
  norm @RMSNorm
  qkv_proj Linear
  out_proj Linear
  output_gate Linear`;
const miniMaxBody = llamaBody({
  attention: lightningAttention + attention(),
  feedForward: "",
  layerTail: mixture("router first"),
});

const graniteMoeBody = llamaBody({ feedForward: "", layerTail: graniteMoeFeedForward });
const graniteMoeRenames: readonly Rename[] = [
  { from: /\.block_sparse_moe\.(input|output)_linear\./, to: ".block_sparse_moe.experts." },
  { from: /\.block_sparse_moe\.router\.layer\./, to: ".block_sparse_moe.router." },
];

const kimiLinearRenames: readonly Rename[] = [
  ...blockSparseToMlp,
  { from: /\.self_attn\.[qkv]_conv1d\./, to: ".self_attn.conv1d." },
  { from: /\.self_attn\.(f_[ab]_proj)\./, to: ".self_attn.forget_gate.$1." },
];

const mllamaBody = `
embed_tokens Embedding
layers[n] MllamaCrossAttentionDecoderLayer when cross_attn
  cross_attn MllamaTextCrossAttention
    q_proj Linear
    k_proj Linear
    v_proj Linear
    o_proj Linear
    q_norm MllamaTextRMSNorm
    k_norm MllamaTextRMSNorm
  input_layernorm MllamaTextRMSNorm
  mlp MllamaTextMLP
    gate_proj Linear
    up_proj Linear
    down_proj Linear
    act_fn! %act
  post_attention_layernorm MllamaTextRMSNorm
layers[n] MllamaSelfAttentionDecoderLayer
  self_attn MllamaTextSelfAttention
    q_proj Linear
    k_proj Linear
    v_proj Linear
    o_proj Linear
  mlp MllamaTextMLP
    gate_proj Linear
    up_proj Linear
    down_proj Linear
    act_fn! %act
  input_layernorm MllamaTextRMSNorm
  post_attention_layernorm MllamaTextRMSNorm
norm MllamaTextRMSNorm
rotary_emb! MllamaRotaryEmbedding`;

const mllamaText = family("Mllama", mllamaBody, {
  baseClass: "MllamaTextModel",
  noSplit: ["MllamaCrossAttentionDecoderLayer", "MllamaSelfAttentionDecoderLayer", "MllamaVisionEncoderLayer"],
});

/** Families whose decoder is Llama's, tensor by tensor: only the class prefix differs. */
const plainLlama: Readonly<Record<string, string>> = {
  llama: "Llama",
  mistral: "Mistral",
  ministral: "Ministral",
  ministral3: "Ministral3",
  qwen2: "Qwen2",
  qwen3: "Qwen3",
  seed_oss: "SeedOss",
  smollm3: "SmolLM3",
  granite: "Granite",
  olmo2: "Olmo2",
  olmo3: "Olmo3",
  exaone4: "Exaone4",
  ernie4_5: "Ernie4_5",
  helium: "Helium",
  hunyuan_v1_dense: "HunYuanDenseV1",
  arcee: "Arcee",
  minicpm: "MiniCPM",
  internlm: "InternLM",
  yi: "Llama",
};

const routerFirst = llamaBody({ feedForward: mixture("router first") });
const expertsFirst = llamaBody({ feedForward: mixture("experts first") });
const latentMixture = llamaBody({
  attention: latentAttention,
  feedForward: mixture("experts first", "@MoE", "gate @TopkRouter"),
});
const sparseLatentMixture = llamaBody({
  attention: sparseLatentAttention,
  feedForward: mixture("experts first", "@MoE", "gate @TopkRouter"),
});

const rows: readonly (readonly [modelType: string, family: Family])[] = [
  ...Object.entries(plainLlama).map(([type, prefix]): [string, Family] => [type, family(prefix, llamaBody())]),
  [
    "apertus",
    family("Apertus", llamaBody({ layerTail: "attention_layernorm @RMSNorm\nfeedforward_layernorm @RMSNorm" })),
  ],
  ["gemma", gemma("Gemma")],
  ["gemma2", gemma("Gemma2")],
  ["gemma3_text", gemma("Gemma3", { baseClass: "@TextModel", renames: textOfVisionModel, ignored: visionParts })],
  ["cohere", family("Cohere", llamaBody({ norm: "CohereLayerNorm" }))],
  ["cohere2", family("Cohere2", llamaBody({ norm: "Cohere2LayerNorm" }))],
  ["olmo", family("Olmo", llamaBody({ norm: "OlmoLayerNorm" }))],
  ["glm", family("Glm", llamaBody({ feedForward: joinedMlp }))],
  ["glm4", family("Glm4", llamaBody({ feedForward: joinedMlp }))],
  [
    "phi3",
    family(
      "Phi3",
      llamaBody({
        attention: joinedAttention,
        feedForward: joinedMlp,
        layerTail: "resid_attn_dropout! Dropout\nresid_mlp_dropout! Dropout",
      }),
    ),
  ],
  ["starcoder2", family("Starcoder2", llamaBody({ norm: "LayerNorm", feedForward: layerNormMlp }))],
  [
    "stablelm",
    family("StableLm", llamaBody({ attention: headNorms, norm: "LayerNorm", layerTail: "dropout! Dropout" })),
  ],
  ["phi", family("Phi", phiBody)],
  ["mixtral", family("Mixtral", routerFirst, { renames: blockSparseToMlp })],
  ["minimax", family("MiniMax", miniMaxBody, { renames: blockSparseToMlp })],
  ["minimax_m2", family("MiniMaxM2", routerFirst, { renames: blockSparseToMlp })],
  [
    "phimoe",
    family("Phimoe", llamaBody({ norm: "LayerNorm", feedForward: phiMixture }), {
      renames: [...blockSparseToMlp, { from: /\.mlp\.gate\./, to: ".mlp.router." }],
    }),
  ],
  ["qwen2_moe", family("Qwen2Moe", routerFirst)],
  ["qwen3_moe", family("Qwen3Moe", expertsFirst)],
  ["olmoe", family("Olmoe", routerFirst)],
  ["flex_olmo", family("FlexOlmo", routerFirst)],
  [
    "ernie4_5_moe",
    family("Ernie4_5_Moe", llamaBody({ feedForward: ernieMixture }), {
      renames: [{ from: /\.mlp\.moe_statics\./, to: ".mlp.gate.moe_statics." }],
      ignored: /^model\.mtp_/,
    }),
  ],
  ["gpt_oss", family("GptOss", llamaBody({ feedForward: gptOssFeedForward }))],
  [
    "deepseek_v2",
    family(
      "DeepseekV2",
      llamaBody({ attention: latentAttention, feedForward: mixture("experts first", "@Moe", "gate @TopkRouter") }),
    ),
  ],
  ["deepseek_v3", family("DeepseekV3", latentMixture)],
  [
    "deepseek_v4",
    family("DeepseekV4", deepSeekV4Body, {
      ignored: predictionLayers,
    }),
  ],
  ["glm4_moe", family("Glm4Moe", llamaBody({ feedForward: mixture("experts first", "@MoE", "gate @TopkRouter") }))],
  ["glm4_moe_lite", family("Glm4MoeLite", latentMixture)],
  ["glm_moe_dsa", family("GlmMoeDsa", sparseLatentMixture)],
  ["deepseek_v32", family("DeepseekV32", sparseLatentMixture)],
  ["dots1", family("Dots1", llamaBody({ feedForward: mixture("experts first", "@MoE", "gate @TopkRouter") }))],
  ["granitemoe", family("GraniteMoe", graniteMoeBody, { renames: graniteMoeRenames })],
  ["granitemoeshared", family("GraniteMoeShared", graniteMoeBody, { renames: graniteMoeRenames })],
  [
    "kimi_linear",
    family(
      "KimiLinear",
      llamaBody({
        attention: kimiLinearAttention,
        feedForward: mixture("experts first", "@MoE", "gate @TopkRouter"),
        rotary: "",
      }),
      {
        renames: kimiLinearRenames,
      },
    ),
  ],
  [
    "qwen3_next",
    family(
      "Qwen3Next",
      llamaBody({ attention: gatedDeltaAttention("joined projections"), feedForward: mixture("router first") }),
      {
        ignored: predictionLayers,
      },
    ),
  ],
  [
    "qwen3_5_text",
    qwen35(
      "Qwen3_5",
      llamaBody({ attention: gatedDeltaAttention("separate projections"), rotary: "rotary_emb! @TextRotaryEmbedding" }),
    ),
  ],
  [
    "qwen3_5_moe_text",
    qwen35(
      "Qwen3_5Moe",
      llamaBody({
        attention: gatedDeltaAttention("separate projections"),
        feedForward: mixture("router first"),
        rotary: "rotary_emb! @TextRotaryEmbedding",
      }),
    ),
  ],
  ["mllama_text", mllamaText],
  ["mllama_text_model", mllamaText],
  ["gpt2", family("GPT2", gpt2Body, { headClass: "GPT2LMHeadModel", noSplit: ["@Block"] })],
  ["gpt_bigcode", family("GPTBigCode", gptBigCodeBody, { noSplit: ["@Block"] })],
  ["gptj", family("GPTJ", gptJBody, { noSplit: ["@Block"] })],
  ["bloom", family("Bloom", bloomBody, { noSplit: ["@Block"] })],
  ["falcon", family("Falcon", falconBody)],
  [
    "gpt_neox",
    family("GPTNeoX", gptNeoXBody, {
      noSplit: ["@Layer"],
      renames: [{ from: /^embed_out\./, to: "lm_head." }],
    }),
  ],
  ["opt", family("OPT", optBody)],
  ["mamba", family("Mamba", mambaBody, { base: "backbone", noSplit: ["@Block", "@Mixer"] })],
  ["falcon_mamba", family("FalconMamba", falconMambaBody, { base: "backbone", noSplit: ["@Block", "@Mixer"] })],
  ["mamba2", family("Mamba2", mamba2Body, { base: "backbone", noSplit: ["@Block"] })],
];

/** Text models by `model_type`, with class names and order of transformers 5; where the body stands is in the record. */
export const textFamilies: ReadonlyMap<string, Family> = new Map(
  rows.map(([type, known]) => [type, { ...known, base: recordedBase(type) ?? known.base }]),
);

/** The attribute of the head class that holds the body, if the record of decoder families names one. */
function recordedBase(modelType: string): string | undefined {
  return decoderFamilyOf([modelType])?.baseName?.split(".")[0];
}

function qwen35(prefix: string, body: string): Family {
  const noSplit = ["@DecoderLayer", "@VisionBlock"];
  return family(prefix, body, { baseClass: "@TextModel", noSplit, renames: textOfVisionModel, ignored: visionParts });
}

/** The body for an unknown family: the order that most decoders share. */
export const commonBody = llamaBody({ attention: attention(), feedForward: mixture("experts first") });
