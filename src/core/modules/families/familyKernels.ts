import { catalogueConfig } from "./catalogue.js";

/** What one kernel selector of VeOmni takes in the code of one model family. */
export interface KernelFact {
  /** Values that run; others are refused, or fail in the first step. */
  readonly runs: readonly string[];
  /** Values that something else takes the place of, without an error. */
  readonly replaced?: readonly string[];
  /** Said only of packed sequences. */
  readonly packedOnly?: true;
  /** The rest of a sentence that begins with the value and the family: why the others do not run. */
  readonly why: string;
}

/** Which kernels VeOmni's code of one model family runs. Selectors that are not listed take every known value, or none matters. */
export interface FamilyKernels {
  /** The family as people write it. */
  readonly name: string;
  /** `model_type` of config.json. */
  readonly modelTypes: readonly string[];
  /** How the name of a checkpoint gives the family away; absent where it does not. */
  readonly inName?: RegExp;
  /** The family's own attention gathers the sequence, whichever kernel runs in it. */
  readonly gathersSequence?: true;
  /** By selector: `attn_implementation`, `moe_implementation`, … */
  readonly kernels: Readonly<Record<string, KernelFact>>;
}

/** A family, and how it was recognised: by config.json or the catalogue, or by the name of the checkpoint alone. */
export interface RecognisedFamily {
  readonly family: FamilyKernels;
  readonly by: "config" | "name";
}

const attention = "attn_implementation";
const rotary = "rotary_pos_emb_implementation";

/** The RMSNorm kernels that are registered for all families; `triton` is DeepSeek-V3's. */
const plainNorm: KernelFact = {
  runs: ["eager", "liger_kernel", "npu"],
  why: "has no kernel of that name for its norm",
};
const plainRotary: KernelFact = {
  runs: ["eager", "liger_kernel", "npu"],
  why: "has no kernel of that name for its rotary embedding",
};
const withoutFlex: KernelFact = {
  runs: ["eager", "sdpa", "flash_attention_2", "flash_attention_3", "flash_attention_4"],
  why: "is not written for FlexAttention",
};
const packedNeedsKernel = { packedOnly: true, why: "cannot run packed sequences with it" } as const;
const gatedDelta = {
  causal_conv1d_implementation: { runs: ["fla", "npu"], ...packedNeedsKernel },
  chunk_gated_delta_rule_implementation: { runs: ["fla", "flash_qla", "npu", "npu_ascendc"], ...packedNeedsKernel },
} as const;

/**
 * What VeOmni 0.1.12 (2026-09-09) runs, recorded from its source by `src/dev/recording/veomni.py`: which attention the class declares,
 * which kernels are registered for the slots of its code, and what `device_patch.py` adds or takes away. The names of checkpoints and
 * Qwen 3.5's limit on packed sequences are by hand, after the text of VeOmni's own settings.
 */
export const familyKernels: readonly FamilyKernels[] = [
  {
    name: "DeepSeek-V4",
    modelTypes: ["deepseek_v4"],
    inName: /deepseek[._-]?v4/i,
    gathersSequence: true,
    kernels: {
      [attention]: {
        runs: ["eager"],
        why: "has eager attention only: its heads of 512 are above the 256 of FlashAttention, and neither SDPA nor FlexAttention knows its sinks and compressed keys",
      },
      [rotary]: { runs: ["eager", "triton"], why: "has a rotary embedding of its own and rejects that kernel" },
      rms_norm_implementation: plainNorm,
      dsa_indexer_implementation: { runs: ["eager", "tilelang"], why: "has no indexer of that name" },
      dsa_attention_implementation: { runs: ["eager", "tilelang"], why: "has no sparse attention of that name" },
    },
  },
  {
    name: "GLM-5",
    modelTypes: ["glm_moe_dsa"],
    inName: /glm[._-]?5(?![0-9])/i,
    kernels: {
      [attention]: {
        runs: ["eager", "sdpa"],
        why: "declares neither FlashAttention nor FlexAttention",
      },
      dsa_indexer_implementation: { runs: ["eager", "cudnn"], why: "has no indexer of that name" },
      dsa_attention_implementation: { runs: ["eager", "flashmla_cudnn"], why: "has no sparse attention of that name" },
    },
  },
  {
    name: "GPT-OSS",
    modelTypes: ["gpt_oss"],
    inName: /gpt[._-]?oss/i,
    kernels: {
      [attention]: {
        runs: ["eager", "flash_attention_4", "flex_attention"],
        replaced: ["flash_attention_2", "flash_attention_3"],
        why: "has attention sinks, which that kernel does not know",
      },
      moe_implementation: {
        runs: ["eager", "fused_quack", "fused"],
        why: "interleaves the projections of its experts, for which only Quack has a kernel",
      },
    },
  },
  {
    name: "Qwen3.5",
    modelTypes: ["qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"],
    inName: /qwen3[._-]?5(?![0-9]|b(?:[^a-z]|$))/i,
    kernels: { [attention]: withoutFlex, rms_norm_implementation: plainNorm, ...gatedDelta },
  },
  {
    name: "Wan",
    modelTypes: ["wan", "WanTransformer3DModel"],
    inName: /^wan(?:[\d._-]|$)/i,
    kernels: {
      [rotary]: { runs: ["eager", "npu", "triton"], why: "has a rotary embedding of its own and rejects that kernel" },
    },
  },
  {
    name: "this family",
    modelTypes: ["llama", "qwen2", "qwen3", "qwen3_moe", "qwen3_vl_moe"],
    kernels: { rms_norm_implementation: plainNorm, [rotary]: plainRotary },
  },
  {
    name: "Qwen3-VL",
    modelTypes: ["qwen3_vl"],
    kernels: { [attention]: withoutFlex, rms_norm_implementation: plainNorm, [rotary]: plainRotary },
  },
  {
    name: "this family",
    modelTypes: ["qwen2_vl", "qwen2_5_vl", "qwen2_5_omni"],
    kernels: { [attention]: withoutFlex },
  },
];

const byModelType: ReadonlyMap<string, FamilyKernels> = new Map(
  familyKernels.flatMap((family) => family.modelTypes.map((type) => [type, family] as const)),
);
/** A segment of a path that names some model; what stands above it names folders. */
const someModel =
  /deepseek|qwen|llama|glm|gpt|gemma|mistral|mixtral|^wan(?:[\d._-]|$)|flux|seed-?oss|kimi|phi-?\d|internvl|minimax|ltx/i;
const maxNameLength = 4_096;

/** What config.json says about a model, as far as kernels care. */
export interface ModelFacts {
  readonly modelType: string;
  /** Size of one attention head. */
  readonly headDim?: number;
}

/** What is known of models besides their names, by the path as a configuration writes it. */
export type KnownModels = ReadonlyMap<string, ModelFacts>;

/**
 * The family of a model, by its config.json where that is known, else by the catalogue or by the last part of the path that names a
 * model. `undefined` where no facts are kept. `path` may hold unknown parts; they only must not stand inside the name.
 */
export function familyOf(path: string | undefined, facts?: ModelFacts): RecognisedFamily | undefined {
  const type = facts?.modelType ?? modelTypeOf(path);
  if (type !== undefined) return certain(byModelType.get(type) ?? wideHeads(facts?.headDim));
  const segments = (path ?? "").slice(0, maxNameLength).split(/[\\/]|--/);
  const named = segments.findLast((segment) => someModel.test(segment));
  const family = named === undefined ? undefined : familyKernels.find(({ inName }) => inName?.test(named));
  return family === undefined ? undefined : { family, by: "name" };
}

/** FlashAttention 2, 3 and 4 end at heads of 256, whichever the family. */
const maxFlashHead = 256;

function wideHeads(headDim: number | undefined): FamilyKernels | undefined {
  if (headDim === undefined || headDim <= maxFlashHead) return undefined;
  const why = `has heads of ${headDim}, and FlashAttention ends at ${maxFlashHead}`;
  return {
    name: "this model",
    modelTypes: [],
    kernels: { [attention]: { runs: ["eager", "sdpa", "flex_attention"], why } },
  };
}

function certain(family: FamilyKernels | undefined): RecognisedFamily | undefined {
  return family === undefined ? undefined : { family, by: "config" };
}

function modelTypeOf(id: string | undefined): string | undefined {
  const type = id === undefined ? undefined : catalogueConfig(id)?.model_type;
  return typeof type === "string" ? type : undefined;
}

/** What happens to a value of a selector: nothing (`undefined`), refused, or something else takes its place. */
export interface KernelVerdict {
  readonly kind: "refused" | "replaced";
  readonly why: string;
  /** Said of packed sequences only. */
  readonly packedOnly: boolean;
  /** Values that run, the preferred first. */
  readonly instead: readonly string[];
}

/** Says whether the family runs a value; `packed` is false where sequences are known to be padded. Names in no list are plug-ins. */
export function kernelVerdict(
  { family }: RecognisedFamily,
  selector: string,
  value: string,
  packed: boolean,
): KernelVerdict | undefined {
  const fact = family.kernels[selector];
  if (fact === undefined || (fact.packedOnly === true && !packed)) return undefined;
  const plain = plainName(value);
  if (fact.runs.includes(plain) || !knownValues(selector).has(plain)) return undefined;
  const kind = fact.replaced?.includes(plain) === true ? "replaced" : "refused";
  return { kind, why: fact.why, packedOnly: fact.packedOnly === true, instead: preferred(fact) };
}

/** The name that VeOmni rewrites to one that knows sequence parallelism stands for the same kernel. */
function plainName(value: string): string {
  return /^veomni_(\w+)_with_sp$/.exec(value)?.[1] ?? value;
}

/** `eager` always runs and is slow, so it comes last, unless nothing else does. */
function preferred({ runs }: KernelFact): readonly string[] {
  return [
    ...runs.filter((value) => value !== "eager" && value !== "npu" && !value.startsWith("npu_") && value !== "fused"),
    ...runs.filter((value) => value === "eager"),
  ];
}

const known: Readonly<Record<string, readonly string[]>> = {
  [attention]: ["eager", "sdpa", "flash_attention_2", "flash_attention_3", "flash_attention_4", "flex_attention"],
  moe_implementation: ["eager", "fused", "fused_triton", "fused_quack", "fused_npu", "fused_mlu", "fused_mlu_triton"],
  [rotary]: ["eager", "liger_kernel", "npu", "triton"],
  rms_norm_implementation: ["eager", "liger_kernel", "npu", "triton"],
  causal_conv1d_implementation: ["eager", "fla", "npu"],
  chunk_gated_delta_rule_implementation: ["eager", "fla", "flash_qla", "npu", "npu_ascendc"],
  dsa_indexer_implementation: ["eager", "cudnn", "tilelang"],
  dsa_attention_implementation: ["eager", "flashmla_cudnn", "tilelang"],
};
const knownSets: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(known).map(([selector, values]) => [selector, new Set(values)]),
);
const nothing: ReadonlySet<string> = new Set();

/** Values of VeOmni's own; only of these is anything said. */
function knownValues(selector: string): ReadonlySet<string> {
  return knownSets.get(selector) ?? nothing;
}
