import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { familyKernels, familyOf, kernelVerdict } from "../../../../src/core/modules/families/familyKernels.js";

interface RecordedFamily {
  readonly attention: Readonly<Record<"flash_attn" | "sdpa" | "flex_attn", boolean | null>>;
  readonly flash: readonly string[] | null;
  readonly kernels: Readonly<Record<string, readonly string[]>>;
}

/** What `src/dev/recording/veomni.py` read in the wheel of VeOmni 0.1.12; folders are named after the model type. */
const recorded = JSON.parse(
  readFileSync(new URL("../../../fixtures/config/veomni/recordedSource.json", import.meta.url), "utf8"),
) as { readonly families: Readonly<Record<string, RecordedFamily>> };

const typeOf = (folder: string) => (folder === "qwen2_5vl" ? "qwen2_5_vl" : folder);
const known: Readonly<Record<string, readonly string[]>> = {
  moe_implementation: ["eager", "fused_triton", "fused_quack"],
  rotary_pos_emb_implementation: ["eager", "liger_kernel", "triton"],
  rms_norm_implementation: ["eager", "liger_kernel", "npu", "triton"],
  dsa_indexer_implementation: ["eager", "cudnn", "tilelang"],
  dsa_attention_implementation: ["eager", "flashmla_cudnn", "tilelang"],
};

function refused(type: string, selector: string, value: string): boolean {
  const family = familyOf(undefined, { modelType: type });
  return family !== undefined && kernelVerdict(family, selector, value, false)?.kind === "refused";
}

describe("kernels of model families", () => {
  it.each(Object.entries(recorded.families))("are those that VeOmni's source shows for %s", (folder, source) => {
    const type = typeOf(folder);
    const { flash_attn, sdpa, flex_attn } = source.attention;
    expect(refused(type, "attn_implementation", "flash_attention_4")).toBe(flash_attn !== true);
    expect(refused(type, "attn_implementation", "sdpa")).toBe(sdpa !== true);
    expect(refused(type, "attn_implementation", "flex_attention")).toBe(flex_attn !== true);
    for (const [selector, runs] of Object.entries(source.kernels)) {
      for (const value of known[selector] ?? []) {
        expect(`${selector} ${value} ${refused(type, selector, value)}`).toBe(
          `${selector} ${value} ${!runs.includes(value)}`,
        );
      }
    }
  });

  it("are replaced where the source names the flash kernels that fit", () => {
    for (const [folder, { flash, attention }] of Object.entries(recorded.families)) {
      const family = familyOf(undefined, { modelType: typeOf(folder) });
      const verdict = family && kernelVerdict(family, "attn_implementation", "flash_attention_2", true);
      const isReplaced = flash !== null && attention.flash_attn === true;
      expect(`${folder} ${verdict?.kind === "replaced"}`).toBe(`${folder} ${isReplaced}`);
    }
  });

  it("suggest only what runs", () => {
    for (const family of familyKernels) {
      for (const [selector, { runs }] of Object.entries(family.kernels)) {
        for (const value of [
          "flash_attention_2",
          "flex_attention",
          "sdpa",
          "triton",
          "liger_kernel",
          "eager",
          "fused_triton",
        ]) {
          const verdict = kernelVerdict({ family, by: "config" }, selector, value, true);
          expect(runs).toEqual(expect.arrayContaining([...(verdict?.instead ?? [])]));
          expect(verdict?.instead.length).not.toBe(0);
        }
      }
    }
  });

  it("say nothing about kernels of plug-ins", () => {
    const family = familyOf("deepseek-ai/DeepSeek-V4-Flash");
    expect(family && kernelVerdict(family, "attn_implementation", "somebodys-own", true)).toBeUndefined();
  });

  it.each([
    ["deepseek-ai/DeepSeek-V4-Flash-Base", "DeepSeek-V4"],
    ["${oc.env:ROOT}/DeepSeek_V4", "DeepSeek-V4"],
    ["zai-org/GLM-5", "GLM-5"],
    ["zai-org/GLM-4.5", undefined],
    ["Qwen/Qwen3.5-35B-A3B", "Qwen3.5"],
    ["Qwen/Qwen3-5B", undefined],
    ["Wan-AI/Wan2.1-T2V-1.3B", "Wan"],
    ["./taiwan/model", undefined],
    ["openai/gpt-oss-120b", "GPT-OSS"],
    ["/runs/gpt-oss-120b/Llama-3.1-8B-mine", undefined],
  ])("finds the family of %s", (path, name) => {
    const found = familyOf(path)?.family.name;
    expect(found === "this family" ? undefined : found).toBe(name);
  });
});
