import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { trainingText } from "../../../../../src/core/config/veomni/rules/trainingExample.js";

function found(path: string, ...kernels: readonly string[]): readonly string[] {
  const ops = kernels.length === 0 ? [] : ["ops_implementation:", ...kernels.map((line) => `  ${line}`)];
  const text = trainingText({ pin: "train-scoped+async", model: ops }).replace("Qwen3-8B", path);
  const diagnostics = checkDocument("experiments/run.yaml", text)?.diagnostics ?? [];
  return diagnostics
    .filter(({ code }) => code === "kernel-for-model")
    .map(({ severity, span, fixes }) => {
      const place = text.slice(span.start, span.end);
      return `${severity} ${place} -> ${fixes.map(({ title }) => title.split(" ").at(-1)).join(", ")}`;
    });
}

describe("kernel-for-model in VeOmni's own files", () => {
  it.each([
    ["DeepSeek-V4-Flash-Base", [], ["warning model_path: DeepSeek-V4-Flash-Base -> eager"]],
    ["${MODELS}/DeepSeek-V4-Pro", ["attn_implementation: sdpa"], ["warning attn_implementation: sdpa -> eager"]],
    ["DeepSeek-V4-Flash", ["attn_implementation: eager"], []],
    [
      "DeepSeek-V4-Flash",
      ["attn_implementation: eager", "dsa_indexer_implementation: cudnn"],
      ["warning dsa_indexer_implementation: cudnn -> tilelang, eager"],
    ],
    ["openai/gpt-oss-120b", ["attn_implementation: flash_attention_4", "moe_implementation: fused_quack"], []],
    [
      "openai/gpt-oss-120b",
      ["attn_implementation: flash_attention_4"],
      ["warning model_path: openai/gpt-oss-120b -> fused_quack, eager"],
    ],
    ["Qwen/Qwen3-8B", ["attn_implementation: sdpa"], []],
    [
      "Qwen/Qwen3-8B",
      ["rms_norm_implementation: triton"],
      ["warning rms_norm_implementation: triton -> liger_kernel, eager"],
    ],
  ])("judges %s with %j", (path, kernels, expected) => {
    expect(found(path, ...kernels)).toEqual(expected);
  });

  it("leaves what the YAML file may say alone in flags", () => {
    const check = (flag: string) =>
      checkDocument("run.sh", `bash train.sh tasks/train_text.py configs/text/deepseek_v4.yaml ${flag}\n`)?.diagnostics;
    expect(check("--model.model_path $ROOT/DeepSeek-V4-Flash")).toEqual([]);
    const written = "--model.model_path $ROOT/DeepSeek-V4-Flash --model.ops_implementation.attn_implementation sdpa";
    expect(check(written)?.map(({ code }) => code)).toEqual(["kernel-for-model"]);
  });
});
