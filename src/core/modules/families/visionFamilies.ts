import { indent } from "./blueprint.js";
import { type Family, family, type Rename } from "./family.js";
import { llamaBody, mixture } from "./llamaLike.js";
import { textFamilies } from "./textFamilies.js";

const parts =
  "visual|vision_tower|vision_model|multi_modal_projector|image_newline|audio_tower|embed_vision|embed_audio";

/** Older layouts kept the text model as a complete head class, or the vision part beside the body. */
export const visionRenames: readonly Rename[] = [
  { from: /^language_model\.model\./, to: "model.language_model." },
  { from: /^language_model\.lm_head\./, to: "lm_head." },
  { from: new RegExp(`^(?=(${parts})(\\.|$))`), to: "model." },
  { from: new RegExp(`^model\\.(?!language_model\\.|(${parts})(\\.|$))`), to: "model.language_model." },
  { from: /^model\.vision_tower\.vision_model\./, to: "model.vision_tower." },
];

const encoderAttention = (prefix: string) => `
self_attn ${prefix}Attention
  k_proj Linear
  v_proj Linear
  q_proj Linear
  out_proj Linear`;

const encoderMlp = (prefix: string) => `
mlp ${prefix}MLP
  activation_fn! %visionAct
  fc1 Linear
  fc2 Linear`;

const embeddings = (prefix: string) => `
embeddings ${prefix}VisionEmbeddings
  patch_embedding Conv2d
  position_embedding Embedding`;

const clipTower = `
vision_tower CLIPVisionModel
${indent(embeddings("CLIP"), 1)}
  pre_layrnorm LayerNorm
  encoder CLIPEncoder
    layers[vision_config.num_hidden_layers] CLIPEncoderLayer
${indent(encoderAttention("CLIP"), 3)}
      layer_norm1 LayerNorm
${indent(encoderMlp("CLIP"), 3)}
      layer_norm2 LayerNorm
  post_layernorm LayerNorm`;

const siglipTower = `
vision_tower SiglipVisionModel
${indent(embeddings("Siglip"), 1)}
  encoder SiglipEncoder
    layers[vision_config.num_hidden_layers] SiglipEncoderLayer
      layer_norm1 LayerNorm
${indent(encoderAttention("Siglip"), 3)}
      layer_norm2 LayerNorm
${indent(encoderMlp("Siglip"), 3)}
  post_layernorm LayerNorm
  head? SiglipMultiheadAttentionPoolingHead
    attention MultiheadAttention
      out_proj NonDynamicallyQuantizableLinear
    layernorm LayerNorm
${indent(encoderMlp("Siglip"), 2)}`;

const siglipLayers = [
  "SiglipEncoderLayer",
  "SiglipMultiheadAttentionPoolingHead",
  "SiglipTextEmbeddings",
  "SiglipVisionEmbeddings",
];
const clipLayers = ["CLIPEncoderLayer", "CLIPTextEmbeddings", "CLIPVisionEmbeddings"];

const projector = (className: string) => `
multi_modal_projector ${className}
  linear_1 Linear
  act! %projectorAct
  linear_2 Linear`;

const gemmaProjector = `
multi_modal_projector Gemma3MultiModalProjector
  mm_soft_emb_norm Gemma3RMSNorm
  avg_pool! AvgPool2d`;

const qwen2Visual = (className: string, names: { patch: string; norm: string; attention: string; merger: string }) => `
visual ${className}
  patch_embed ${names.patch}
    proj Conv3d
  rotary_pos_emb! @VisionRotaryEmbedding
  blocks[vision_config.depth] @VisionBlock
    norm1 ${names.norm}
    norm2 ${names.norm}
    attn ${names.attention}
      qkv Linear
      proj Linear
    mlp @MLP when gate_proj
      gate_proj Linear
      up_proj Linear
      down_proj Linear
      act_fn! %visionAct
    mlp VisionMlp
      fc1 Linear
      act! %visionAct
      fc2 Linear
  merger ${names.merger}
    ln_q ${names.norm}
    mlp Sequential
      0 Linear
      1! GELU
      2 Linear`;

const merger = (name: string) => `
${name} @VisionPatchMerger
  norm LayerNorm
  linear_fc1 Linear
  act_fn! GELU
  linear_fc2 Linear`;

const qwen3Visual = `
visual @VisionModel
  patch_embed @VisionPatchEmbed
    proj Conv3d
  pos_embed Embedding
  rotary_pos_emb! @VisionRotaryEmbedding
  blocks[vision_config.depth] @VisionBlock
    norm1 LayerNorm
    norm2 LayerNorm
    attn @VisionAttention
      qkv Linear
      proj Linear
    mlp @VisionMLP
      linear_fc1 Linear
      linear_fc2 Linear
      act_fn! %visionAct
${indent(merger("merger"), 1)}`;

const deepStack = `\n${indent(merger("deepstack_merger_list[vision_config.deepstack_visual_indexes]"), 1)}`;

/** The text model inside: its class and body, with the text family's own class names. */
function languageModel(className: string, body: string, prefix: string): string {
  return `
language_model ${className}
${indent(body.replaceAll("@", prefix), 1)}`;
}

function conditional(prefix: string, body: string, noSplit: readonly string[]): Family {
  const headClass = `${prefix}ForConditionalGeneration`;
  return family(prefix, body, { headClass, noSplit, renames: visionRenames, ignored: /^(model\.)?mtp\./ });
}

const qwen2Text = (prefix: string) => {
  const body = llamaBody().replaceAll("@MLP", "Qwen2MLP");
  return languageModel(`${prefix}TextModel`, body, prefix);
};

const qwen3Text = (prefix: string, feedForward?: string) => {
  const body = llamaBody(feedForward === undefined ? {} : { feedForward });
  return languageModel(`${prefix}TextModel`, body, `${prefix}Text`);
};

function qwen35(prefix: string, textType: string): Family {
  const text = textFamilies.get(textType)?.body ?? "";
  return conditional(prefix, `${qwen3Visual}${languageModel(`${prefix}TextModel`, text, prefix)}`, [
    "@DecoderLayer",
    "@VisionBlock",
  ]);
}

/** Vision-language models with a fixed text model, by `model_type`. */
export const visionFamilies: ReadonlyMap<string, Family> = new Map<string, Family>([
  [
    "qwen2_vl",
    conditional(
      "Qwen2VL",
      qwen2Visual("Qwen2VisionTransformerPretrainedModel", {
        patch: "PatchEmbed",
        norm: "LayerNorm",
        attention: "VisionAttention",
        merger: "PatchMerger",
      }) + qwen2Text("Qwen2VL"),
      ["@DecoderLayer", "@VisionBlock"],
    ),
  ],
  [
    "qwen2_5_vl",
    conditional(
      "Qwen2_5_VL",
      qwen2Visual("Qwen2_5_VisionTransformerPretrainedModel", {
        patch: "Qwen2_5_VisionPatchEmbed",
        norm: "@RMSNorm",
        attention: "@VisionAttention",
        merger: "@PatchMerger",
      }) + qwen2Text("Qwen2_5_VL"),
      ["@DecoderLayer", "@VisionBlock"],
    ),
  ],
  [
    "qwen3_vl",
    conditional("Qwen3VL", qwen3Visual + deepStack + qwen3Text("Qwen3VL"), ["@TextDecoderLayer", "@VisionBlock"]),
  ],
  [
    "qwen3_vl_moe",
    conditional("Qwen3VLMoe", qwen3Visual + deepStack + qwen3Text("Qwen3VLMoe", mixture("experts first")), [
      "@TextDecoderLayer",
      "@VisionBlock",
    ]),
  ],
  ["qwen3_5", qwen35("Qwen3_5", "qwen3_5_text")],
  ["qwen3_5_moe", qwen35("Qwen3_5Moe", "qwen3_5_moe_text")],
]);

/** Class of the text model's body and projector for the models that combine any text model with any vision tower. */
const combined: ReadonlyMap<string, string> = new Map([
  ["llava", "Llava"],
  ["llava_onevision", "LlavaOnevision"],
  ["gemma3", "Gemma3"],
  ["mistral3", "Mistral3"],
]);

/** A model that joins a vision tower and a text model by their own `model_type`s; `undefined` if either is unknown. */
export function combinedFamily(modelType: string, textType: string, visionType: string): Family | undefined {
  const prefix = combined.get(modelType);
  const text = textFamilies.get(textType);
  const tower =
    visionType === "clip_vision_model" ? clipTower : visionType === "siglip_vision_model" ? siglipTower : undefined;
  if (prefix === undefined || text === undefined || tower === undefined) return undefined;
  const bridge = modelType === "gemma3" ? gemmaProjector : projector(`${prefix}MultiModalProjector`);
  const textClass = text.baseClass.replaceAll("@", text.prefix);
  const textLayers = text.noSplit.map((name) => name.replaceAll("@", text.prefix));
  const visionLayers = tower === clipTower ? clipLayers : siglipLayers;
  const body = `${tower}${bridge}${languageModel(textClass, text.body, text.prefix)}`;
  return conditional(prefix, body, [...visionLayers, ...textLayers].sort());
}
