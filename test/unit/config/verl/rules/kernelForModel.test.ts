import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { fixed, summaryOf } from "../../checkedText.js";

describe("kernel-for-model", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3.5-35B-A3B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: eager",
        "      chunk_gated_delta_rule_implementation: eager",
        "",
      ].join("\n"),
      [
        "warning kernel-for-model|causal_conv1d_implementation: eager",
        "warning kernel-for-model|chunk_gated_delta_rule_implementation: eager",
      ],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: /models/DeepSeek-V4-Flash",
        "  actor:",
        "    veomni:",
        "      attn_implementation: eager",
        "      rotary_pos_emb_implementation: liger_kernel",
        "",
      ].join("\n"),
      ["warning kernel-for-model|rotary_pos_emb_implementation: liger_kernel"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: /models/Wan2.1",
        "  actor:",
        "    veomni:",
        "      rotary_pos_emb_implementation: liger_kernel",
        "",
      ].join("\n"),
      ["warning kernel-for-model|rotary_pos_emb_implementation: liger_kernel"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("kernel-for-model", text)).toEqual(expected);
  });

  it.each([
    [
      "Set causal_conv1d_implementation to fla",
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3_5-4B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: eager",
        "      chunk_gated_delta_rule_implementation: fla",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    path: Qwen/Qwen3_5-4B",
        "  actor:",
        "    veomni:",
        "      causal_conv1d_implementation: fla",
        "      chunk_gated_delta_rule_implementation: fla",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("kernel-for-model", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3-8B",
      "  actor:",
      "    veomni:",
      "      causal_conv1d_implementation: eager",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      causal_conv1d_implementation: eager", ""].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3.5-35B-A3B",
      "  actor:",
      "    veomni:",
      "      causal_conv1d_implementation: fla",
      "      chunk_gated_delta_rule_implementation: fla",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: Qwen/Qwen3-8B",
      "  actor:",
      "    veomni:",
      "      rotary_pos_emb_implementation: liger_kernel",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("kernel-for-model", text)).toEqual([]);
  });

  const call = "python3 -m verl.trainer.main_ppo model_engine=veomni data.train_files=a.parquet";
  const actor = "actor_rollout_ref.actor.veomni";
  const inScript = (before: string, ...words: readonly string[]) =>
    (checkDocument("run.sh", `${before}\n${call} ${words.join(" ")}\n`)?.diagnostics ?? []).filter(
      ({ severity }) => severity !== "hint",
    );

  it.each([
    ["", "actor_rollout_ref.model.path=deepseek-ai/DeepSeek-V4-Flash"],
    ["model_path=$HDFS_ROOT/model/deepseek-ai/DeepSeek-V4-Flash", "actor_rollout_ref.model.path=$model_path"],
    ["", 'actor_rollout_ref.model.path="${MODEL:-/models/DeepSeek-V4-Pro}"'],
    ["", "actor_rollout_ref.model.path=$ROOT/models--deepseek-ai--DeepSeek-V4-Flash/snapshots/0123abcd"],
  ])("knows DeepSeek-V4 after %j in %s", (before, path) => {
    const eager = inScript(before, path, `${actor}.attn_implementation=eager`, `${actor}.ulysses_parallel_size=4`);
    expect(eager).toEqual([]);
    const [missing, ...rest] = inScript(before, path);
    expect(rest).toEqual([]);
    expect(missing).toMatchObject({ code: "kernel-for-model", severity: "warning" });
    expect(missing?.message).toContain("by default");
    for (const kernel of ["flash_attention_2", "veomni_flash_attention_3_with_sp", "sdpa", "flex_attention"]) {
      const [found, ...more] = inScript(before, path, `${actor}.attn_implementation=${kernel}`);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ code: "kernel-for-model", severity: "warning" });
      expect(found?.fixes.map(({ title }) => title)).toEqual(["Set attn_implementation to eager"]);
    }
  });

  it("asks the last part of the path that names a model", () => {
    expect(inScript("", "actor_rollout_ref.model.path=/data/deepseek-v4-runs/Qwen3-8B")).toEqual([]);
    expect(inScript("", "actor_rollout_ref.model.path=/data/DeepSeek-V4-Flash/global_step_10/actor")).toHaveLength(1);
  });

  it("believes config.json more than the name, and says so", () => {
    const text = [
      "actor_rollout_ref:",
      "  model:",
      "    path: /models/mine",
      "  actor:",
      "    veomni:",
      "      seed: 1",
      "",
    ].join("\n");
    const found = (modelType: string, headDim?: number) =>
      checkDocument("run.yaml", text, {
        models: new Map([["/models/mine", headDim === undefined ? { modelType } : { modelType, headDim }]]),
      })?.diagnostics.map(({ code, message }) => `${code}: ${message}`);
    expect(found("deepseek_v4")?.[0]).toMatch(/^kernel-for-model: .*DeepSeek-V4.*keys\.$/);
    expect(found("qwen3")).toEqual([]);
    expect(found("somebodys_own", 512)?.[0]).toMatch(/heads of 512/);
    expect(found("somebodys_own", 256)).toEqual([]);
  });

  it("says that another kernel takes the place of one that GPT-OSS does not know", () => {
    const [found] = inScript("", "actor_rollout_ref.model.path=openai/gpt-oss-20b");
    expect(found).toMatchObject({ code: "kernel-for-model", severity: "information" });
    expect(found?.message).not.toContain("by the name");
    const right = `${actor}.attn_implementation=flash_attention_4`;
    expect(inScript("", "actor_rollout_ref.model.path=openai/gpt-oss-20b", right)).toEqual([]);
    const [sdpa] = inScript("", "actor_rollout_ref.model.path=openai/gpt-oss-20b", `${actor}.attn_implementation=sdpa`);
    expect(sdpa).toMatchObject({ severity: "warning" });
    const fused = `${actor}.moe_implementation=fused_triton`;
    expect(inScript("", "actor_rollout_ref.model.path=openai/gpt-oss-20b", right, fused)[0]?.fixes[0]?.title).toBe(
      "Set moe_implementation to fused_quack",
    );
  });
});
