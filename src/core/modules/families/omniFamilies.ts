import { indent } from "./blueprint.js";
import { type Family, family } from "./family.js";
import { attention, gatedMlp, llamaBody, mixture } from "./llamaLike.js";

const audioLayers = (prefix: string) => `
layers[audio_config.encoder_layers] ${prefix}AudioEncoderLayer
  self_attn ${prefix}AudioAttention
    k_proj Linear
    v_proj Linear
    q_proj Linear
    out_proj Linear
  self_attn_layer_norm LayerNorm
  activation_fn! GELUActivation
  fc1 Linear
  fc2 Linear
  final_layer_norm LayerNorm
ln_post LayerNorm`;

const qwen25Thinker = `
audio_tower Qwen2_5OmniAudioEncoder
  conv1 Conv1d
  conv2 Conv1d
  positional_embedding! SinusoidsPositionEmbedding
  audio_bos_eos_token Embedding
${indent(audioLayers("Qwen2_5Omni"), 1)}
  avg_pooler! AvgPool1d
  proj Linear
visual Qwen2_5OmniVisionEncoder
  patch_embed Qwen2_5_VisionPatchEmbed
    proj Conv3d
  rotary_pos_emb! Qwen2_5OmniVisionRotaryEmbedding
  blocks[vision_config.depth] Qwen2_5OmniVisionBlock
    norm1 Qwen2_5OmniRMSNorm
    norm2 Qwen2_5OmniRMSNorm
    attn Qwen2_5OmniVisionAttention
      q Linear
      k Linear
      v Linear
      proj Linear
    mlp Qwen2_5OmniMLP
      gate_proj Linear
      up_proj Linear
      down_proj Linear
      act_fn! %visionAct
  merger Qwen2_5OmniPatchMerger
    ln_q Qwen2_5OmniRMSNorm
    mlp Sequential
      0 Linear
      1! GELU
      2 Linear
model Qwen2_5OmniThinkerTextModel
${indent(llamaBody({ feedForward: gatedMlp.replace("@MLP", "Qwen2MLP") }), 1)}
lm_head! Linear`;

const qwen3Merger = (name: string) => `
${name} Qwen3OmniMoeVisionPatchMerger
  ln_q LayerNorm
  mlp ModuleList
    0 Linear
    1! GELU
    2 Linear`;

const thinkerText = "Qwen3OmniMoeThinkerText";
const qwen3Text = llamaBody({ attention: attention(), feedForward: mixture("experts first") })
  .replace(/^norm @RMSNorm/m, "norm Qwen3OmniMoeTextRMSNorm")
  .replaceAll("@", thinkerText);

const qwen3Thinker = `
audio_tower Qwen3OmniMoeAudioEncoder
  positional_embedding! SinusoidsPositionEmbedding
${indent(audioLayers("Qwen3OmniMoe"), 1)}
  conv2d1 Conv2d
  conv2d2 Conv2d
  conv2d3 Conv2d
  conv_out Linear
  proj1 Linear
  act! GELUActivation
  proj2 Linear
visual Qwen3OmniMoeVisionEncoder
${indent(qwen3Merger("merger_list[vision_config.deepstack_visual_indexes]"), 1)}
  patch_embed Qwen3OmniMoeVisionPatchEmbed
    proj Conv3d
  pos_embed Embedding
  rotary_pos_emb! Qwen3OmniMoeVisionRotaryEmbedding
  blocks[vision_config.depth] Qwen3OmniMoeVisionBlock
    norm1 LayerNorm
    norm2 LayerNorm
    attn Qwen3OmniMoeVisionAttention
      qkv Linear
      proj Linear
    mlp Qwen3OmniMoeVisionMLP
      linear_fc1 Linear
      linear_fc2 Linear
      act_fn! %visionAct
${indent(qwen3Merger("merger"), 1)}
model Qwen3OmniMoeThinkerTextModel
${indent(qwen3Text, 1)}
lm_head! Linear`;

/** The talker and the vocoder are left out, as VeOmni leaves them out: training builds the thinker only. */
const omniParts = /^(talker|token2wav|code2wav)\./;

interface OmniLists {
  /** What VeOmni sets on the models that it builds. */
  readonly veomni: readonly string[];
  /** What transformers collects for its own class of the thinker. */
  readonly transformers: readonly string[];
}

/** The whole model is shown as VeOmni builds it, the thinker as transformers does; the lists follow. */
function omni(prefix: string, thinker: string, lists: OmniLists): readonly [Family, Family] {
  const more = { base: "", ownHead: true, ignored: omniParts };
  const whole = `thinker ${prefix}ThinkerForConditionalGeneration\n${indent(thinker, 1)}`;
  const names = (list: readonly string[]) => list.map((name) => name.replaceAll("@", prefix)).join(", ");
  return [
    family(prefix, whole, {
      ...more,
      headClass: "@ForConditionalGeneration",
      noSplit: lists.veomni,
      noSplitNote: `The automatic mode uses the _no_split_modules that VeOmni sets (${names(lists.veomni)}); those of transformers' own class also name the encoders and the talker.`,
    }),
    family(prefix, thinker, {
      ...more,
      headClass: "@ThinkerForConditionalGeneration",
      renames: [{ from: /^thinker\./, to: "" }],
      noSplit: lists.transformers,
      noSplitNote: `The automatic mode uses the _no_split_modules of transformers' class, which name the encoders too; VeOmni's own class sets ${names(lists.veomni)}, so that with it the encoders themselves are not selected.`,
    }),
  ];
}

const encoders = ["@AudioEncoder", "@VisionEncoder"];

const [qwen25Omni, qwen25OmniThinker] = omni("Qwen2_5Omni", qwen25Thinker, {
  veomni: ["@DecoderLayer", "@VisionBlock", "@AudioEncoderLayer"],
  transformers: ["@AudioEncoderLayer", "@DecoderLayer", "@VisionBlock", ...encoders],
});
const [qwen3Omni, qwen3OmniThinker] = omni("Qwen3OmniMoe", qwen3Thinker, {
  veomni: ["@ThinkerTextDecoderLayer", "@VisionBlock", "@AudioEncoderLayer"],
  transformers: [
    "@AudioEncoderLayer",
    "@TalkerCodePredictorModelForConditionalGeneration",
    "@TalkerDecoderLayer",
    "@ThinkerTextDecoderLayer",
    "@VisionBlock",
    ...encoders,
  ],
});

/** Models that hear and see, by `model_type`. */
export const omniFamilies: ReadonlyMap<string, Family> = new Map([
  ["qwen2_5_omni", qwen25Omni],
  ["qwen2_5_omni_thinker", qwen25OmniThinker],
  ["qwen3_omni_moe", qwen3Omni],
  ["qwen3_omni_moe_thinker", qwen3OmniThinker],
]);
