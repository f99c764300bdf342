import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/config/check.js";

/*
 * Shapes in which verl and VeOmni write these configurations in public. The texts are our own, cut down to what the shape
 * needs; the paths are those of the projects.
 */

interface Shape {
  readonly path: string;
  readonly text: string;
  readonly dialect: string;
  readonly findings?: readonly string[];
}

const main = "python3 -m verl.trainer.main_ppo --config-path=config --config-name=ppo_trainer";
const actor = "actor_rollout_ref.actor.veomni";
const ref = "actor_rollout_ref.ref.veomni";

/** A script in the style of arrays. */
function arrays(...overrides: readonly string[]): string {
  const lines = overrides.map((each) => `  ${each}`);
  return [
    "set -x",
    "ACTOR=(",
    ...lines,
    ")",
    `${main} \\`,
    "  model_engine=veomni \\",
    '  "${ACTOR[@]}" "$@"',
    "",
  ].join("\n");
}

/** A script that gathers its overrides in one text and expands it unquoted. */
function variable(...overrides: readonly string[]): string {
  const lines = overrides.map((each) => `  ${each}`);
  return ['ACTOR_CONFIG="', ...lines, '"', `${main} model_engine=veomni $ACTOR_CONFIG "$@"`, ""].join("\n");
}

/** A training config of the layout in which the shipped files are. */
function training(model: string, accelerator: string, data = "train_path: corpus.parquet"): string {
  return `model:\n  model_path: ${model}\ndata:\n  ${data}\ntrain:\n  accelerator:\n${accelerator}  gradient_checkpointing: {enable: true}\n  max_steps: 10\n`;
}

const offloadBlock = "    offload_config:\n      enable_activation: true\n      activation_gpu_limit: 2.0\n";
const misnamedBlock = "    offload:\n      enable_activation: false\n";
const lora = "model_path: base\n  lora_config: {rank: 32, alpha: 32}";

const shapes: readonly Shape[] = [
  {
    path: "examples/grpo_trainer/run_deepseek_v4_veomni.sh",
    text: arrays(
      `${actor}.enable_fsdp_offload=True`,
      `${actor}.dsa_attention_implementation=tilelang`,
      `${actor}.router_replay.mode=R3`,
      "actor_rollout_ref.rollout.enable_rollout_routing_replay=True",
      "actor_rollout_ref.model.use_remove_padding=True",
      `${actor}.enable_async_activation_offload=True`,
    ),
    dialect: "verl",
    // Token counts vary here and the limit is left at its default.
    findings: ["cache-hoards"],
  },
  {
    path: "examples/grpo_trainer/run_qwen3_30b_veomni.sh",
    text: arrays(
      `${actor}.param_offload=True`,
      `${actor}.optimizer_offload=True`,
      `${ref}.param_offload=True`,
      `${ref}.param_offload=True`,
    ),
    dialect: "verl",
    findings: ["override-repeated"],
  },
  {
    path: "examples/grpo_trainer/run_qwen3_5-122b-a10b_veomni.sh",
    text: variable(
      `${actor}.moe_implementation=fused_triton`,
      `${actor}.rms_norm_implementation=liger_kernel`,
      `${actor}.expert_parallel_size=8`,
    ),
    dialect: "verl",
  },
  {
    path: "examples/grpo_trainer/run_qwen3_5_35b_a3b_veomni.sh",
    text: variable(
      "actor_rollout_ref.model.path=Qwen/Qwen3.5-35B-A3B",
      `${actor}.rms_norm_gated_implementation=eager`,
      `${actor}.causal_conv1d_implementation=eager`,
    ),
    dialect: "verl",
    findings: ["kernel-for-model"],
  },
  {
    path: "examples/grpo_trainer/run_qwen3_vl_30b_moe_veomni.sh",
    text: arrays(
      `${actor}.attn_implementation=veomni_flash_attention_2_with_sp`,
      `${actor}.ulysses_parallel_size=2`,
      `${ref}.expert_parallel_size=4`,
    ),
    dialect: "verl",
  },
  {
    path: "examples/router_replay/run_qwen3_5_35b_a3b_veomni.sh",
    text: arrays(`${actor}.router_replay.mode=R2`, "actor_rollout_ref.model.use_remove_padding=True"),
    dialect: "verl",
  },
  {
    path: "examples/on_policy_distillation_trainer/run_qwen3_0.6b_opd_veomni.sh",
    text: arrays(`${actor}.fsdp_size=-1`, `${actor}.param_offload=False`),
    dialect: "verl",
  },
  {
    path: "examples/on_policy_distillation_trainer/run_qwen3_8b_mopd_veomni.sh",
    text: arrays(`${actor}.fsdp_size=8`, `${ref}.param_offload=True`),
    dialect: "verl",
  },
  {
    path: "tests/special_e2e/run_ppo_trainer_veomni.sh",
    text: [
      "FSDP_SIZE=${FSDP_SIZE:-4}",
      "SP_SIZE=${SP_SIZE:-1}",
      `${main} model_engine=veomni \\`,
      `  ${actor}.fsdp_size="\${FSDP_SIZE}" \\`,
      `  critic.veomni.ulysses_parallel_size="\${SP_SIZE}"`,
      "",
    ].join("\n"),
    dialect: "verl",
  },
  {
    path: "tests/special_npu/nightly_ci_ascend/run_grpo_qwen3_30b_veomni_fsdp.sh",
    text: `export HCCL_CONNECT_TIMEOUT=1500\n${arrays("trainer.device=npu", `${actor}.moe_implementation=fused_npu`)}`,
    dialect: "verl",
  },
  {
    path: "tests/special_e2e/sft/run_sft_engine.sh",
    text: [
      'VEOMNI_ENGINE_CONFIG="\\',
      "  engine=veomni \\",
      "  optim=veomni \\",
      "  engine.fsdp_size=2 \\",
      '  engine.ulysses_parallel_size=1"',
      "torchrun --standalone --nproc_per_node=2 -m verl.trainer.sft_trainer data.train_files=a $VEOMNI_ENGINE_CONFIG",
      "",
    ].join("\n"),
    dialect: "verl",
  },
  {
    path: "docs/ascend_tutorial/feature_support/ascend_backend_features.md",
    text: `# Features\n\n| key | meaning |\n| --- | --- |\n| activation_gpu_limit | GiB |\n\n${"```"}bash\n${main} model_engine=veomni ${actor}.activation_gpu_limit=1.0\n${"```"}\n`,
    dialect: "verl",
    findings: ["removed-key"],
  },
  ...["ltx2_av_lora", "ltx2_av_lora_low_vram", "ltx2_v2v_ic_lora"].map((name) => ({
    path: `configs/dit/${name}.yaml`,
    text: training(
      "LTX-2",
      `    fsdp_config: {fsdp_mode: fsdp2, offload: true}\n${offloadBlock}`,
      "train_path: videos.jsonl",
    ),
    dialect: "train-scoped",
  })),
  {
    path: "configs/text/gpt_oss_120b_lora_ep4.yaml",
    text: training("gpt-oss-120b", "    ep_size: 4\n    offload_config:\n      enable_activation: false\n").replace(
      "model_path: gpt-oss-120b",
      lora,
    ),
    dialect: "train-scoped",
  },
  ...["text/qwen3", "text/deepseek_v4", "dit/wan_sft"].map((name) => ({
    path: `configs/${name}.yaml`,
    text: training("weights", misnamedBlock),
    dialect: "train-scoped",
    findings: ["misnamed-key"],
  })),
];

describe("configurations as they are written in public", () => {
  it.each(shapes)("$path", ({ path, text, dialect, findings = [] }) => {
    const checked = checkDocument(path, text);
    expect(checked?.dialect).toBe(dialect);
    expect(checked?.diagnostics.map(({ code }) => code)).toEqual(findings);
  });

  it("leaves the FSDP engine alone, whose activation offload is legal", () => {
    const text = `${main} actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.model.enable_activation_offload=True\n`;
    expect(checkDocument("examples/grpo_trainer/run_qwen3_next_80b_a3b_fsdp.sh", text)?.diagnostics ?? []).toEqual([]);
  });
});
