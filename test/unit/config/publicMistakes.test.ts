import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/config/check.js";
import { applyFix } from "./checkedText.js";

/*
 * Mistakes that were seen in public issues, reviews, shipped configs and guides, as far as a file can show them; each with the fix
 * that has to be offered first, and the text that it must give.
 */

interface Mistake {
  readonly seen: string;
  readonly path?: string;
  readonly text: string;
  readonly code: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  /** Title of the fix, and the text afterwards. */
  readonly fix?: readonly [title: string, text: string];
}

/** A training config; `train` may open with a line for `model`. */
function training(train: string, model = "", data = ""): string {
  return `model:\n  model_path: m\n${model}data:\n  train_path: d\n${data}train:\n  max_steps: 10\n${train}`;
}

function engine(...lines: readonly string[]): string {
  return ["model_engine: veomni", "actor_rollout_ref:", "  actor:", "    veomni:", ...lines, ""].join("\n");
}

const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
const block = "actor_rollout_ref.actor.veomni";
const pin = "# offload-lens: layout=model-scoped\n";

const mistakes: readonly Mistake[] = [
  {
    seen: "VeOmni #538: shipped configs write offload for offload_config, which is ignored",
    text: training("  accelerator:\n    offload:\n      enable_activation: true\n"),
    code: "misnamed-key",
    severity: "warning",
    fix: ["Rename to offload_config", training("  accelerator:\n    offload_config:\n      enable_activation: true\n")],
  },
  {
    seen: "VeOmni #1090: the same where unknown keys stop the start",
    text: training("", "  accelerator:\n    offload:\n      enable_activation: true\n"),
    code: "misnamed-key",
    severity: "error",
    fix: [
      "Rename to offload_config",
      training("", "  accelerator:\n    offload_config:\n      enable_activation: true\n"),
    ],
  },
  {
    seen: "VeOmni #1127, #872: enable_async_activation_offload",
    text: training("", "  accelerator:\n    offload_config:\n      enable_async_activation_offload: true\n"),
    code: "foreign-key",
    severity: "error",
    fix: [
      "Rename to enable_async_activation",
      training("", "  accelerator:\n    offload_config:\n      enable_async_activation: true\n"),
    ],
  },
  {
    seen: "VeOmni #1127: Wan wraps its checkpoints from outside",
    text: training("", "  accelerator:\n    offload_config:\n      enable_async_activation: true\n").replace(
      "model_path: m",
      "model_path: Wan-AI/Wan2.1-T2V-14B",
    ),
    code: "async-wan",
    severity: "warning",
    fix: [
      "Set model.accelerator.offload_config.enable_async_activation to false",
      training("", "  accelerator:\n    offload_config:\n      enable_async_activation: false\n").replace(
        "model_path: m",
        "model_path: Wan-AI/Wan2.1-T2V-14B",
      ),
    ],
  },
  {
    seen: "VeOmni #1090, #1060: optimizer left under train",
    text: `${pin}${training("  optimizer:\n    lr: 1.0e-5\n")}`,
    code: "moved-key",
    severity: "error",
    fix: ["Move to model.optimizer", `${pin}${training("", "  optimizer:\n    lr: 1.0e-5\n")}`],
  },
  {
    seen: "VeOmni #1125: chat_template left under data",
    text: `# offload-lens: layout=model-scoped+template\n${training("", "", "  chat_template: default\n")}`,
    code: "moved-key",
    severity: "error",
    fix: [
      "Move to model.chat_template",
      `# offload-lens: layout=model-scoped+template\n${training("", "  chat_template: default\n")}`,
    ],
  },
  {
    seen: "VeOmni #965: both modes of activation offload",
    text: training(
      "",
      "  accelerator:\n    offload_config:\n      enable_activation: true\n      enable_async_activation: true\n",
    ),
    code: "sync-xor-async",
    severity: "error",
    fix: [
      "Set model.accelerator.offload_config.enable_activation to false",
      training(
        "",
        "  accelerator:\n    offload_config:\n      enable_activation: false\n      enable_async_activation: true\n",
      ),
    ],
  },
  {
    seen: "VeOmni #965: patterns without the switch",
    text: training("", '  accelerator:\n    offload_config:\n      activation_offload_modules: ["model.layers.{*}"]\n'),
    code: "modules-need-async",
    severity: "warning",
    fix: [
      "Set model.accelerator.offload_config.enable_async_activation to true",
      training(
        "",
        '  accelerator:\n    offload_config:\n      activation_offload_modules: ["model.layers.{*}"]\n      enable_async_activation: true\n',
      ),
    ],
  },
  {
    seen: "VeOmni #964, #1004: chunk loss with synchronous offload",
    text: training(
      "  accelerator:\n    offload_config: {enable_activation: true}\n",
      "  ops_implementation: {cross_entropy_loss_implementation: chunk_loss}\n",
    ),
    code: "chunk-loss-sync",
    severity: "error",
    fix: [
      "Set model.ops_implementation.cross_entropy_loss_implementation to liger_kernel",
      training(
        "  accelerator:\n    offload_config: {enable_activation: true}\n",
        "  ops_implementation: {cross_entropy_loss_implementation: liger_kernel}\n",
      ),
    ],
  },
  {
    seen: "VeOmni #1004: the cross entropy of NPUs with synchronous offload",
    text: training(
      "  accelerator:\n    offload_config: {enable_activation: true}\n",
      "  ops_implementation: {cross_entropy_loss_implementation: npu}\n",
    ),
    code: "chunk-loss-sync",
    severity: "error",
    fix: [
      "Set model.ops_implementation.cross_entropy_loss_implementation to eager",
      training(
        "  accelerator:\n    offload_config: {enable_activation: true}\n",
        "  ops_implementation: {cross_entropy_loss_implementation: eager}\n",
      ),
    ],
  },
  {
    seen: "VeOmni #756: fsdp1",
    text: training("  accelerator:\n    fsdp_config: {fsdp_mode: fsdp1}\n"),
    code: "unknown-value",
    severity: "error",
    fix: ["Write fsdp2", training("  accelerator:\n    fsdp_config: {fsdp_mode: fsdp2}\n")],
  },
  {
    seen: "VeOmni #678: moe_implementation fused",
    text: training("", "  ops_implementation: {moe_implementation: fused}\n"),
    code: "deprecated-value",
    severity: "information",
    fix: [
      "Set model.ops_implementation.moe_implementation to fused_triton",
      training("", "  ops_implementation: {moe_implementation: fused_triton}\n"),
    ],
  },
  {
    seen: "VeOmni #1037: selection, a key of forks",
    text: training("", "  accelerator:\n    offload_config:\n      prefetch: 1\n      enable_async_activation: true\n"),
    code: "unmerged-key",
    severity: "error",
    fix: [
      "Remove model.accelerator.offload_config.prefetch",
      training("", "  accelerator:\n    offload_config:\n      enable_async_activation: true\n"),
    ],
  },
  {
    seen: "verl #7724: activation_gpu_limit",
    text: engine("      seed: 1", "      activation_gpu_limit: 1.0"),
    code: "removed-key",
    severity: "error",
    fix: [
      "Replace by enable_async_activation_offload, activation_offload_modules, activation_offload_host_cache_limit_gb",
      engine(
        "      seed: 1",
        "      enable_async_activation_offload: true",
        "      activation_offload_modules: []",
        "      activation_offload_host_cache_limit_gb: 4.0",
      ),
    ],
  },
  {
    seen: "verl #7724: the same in a script",
    path: "run.sh",
    text: `${call} +${block}.activation_gpu_limit=1 ${block}.seed=1\n`,
    code: "removed-key",
    severity: "error",
    fix: ["Remove activation_gpu_limit", `${call} ${block}.seed=1\n`],
  },
  {
    seen: "verl #7724: the synchronous switch beside this engine",
    path: "run.sh",
    text: `${call} actor_rollout_ref.model.enable_activation_offload=true ${block}.seed=1\n`,
    code: "async-vs-sync",
    severity: "error",
    fix: [
      "Set enable_activation_offload to false",
      `${call} actor_rollout_ref.model.enable_activation_offload=false ${block}.seed=1\n`,
    ],
  },
  {
    seen: "verl #7724, #5363: the same in YAML, with the switch that this engine has",
    text: `${engine("      seed: 1")}  model:\n    enable_activation_offload: true\n`,
    code: "async-vs-sync",
    severity: "error",
    fix: [
      "Turn on enable_async_activation_offload instead",
      `${engine("      seed: 1", "      enable_async_activation_offload: true")}  model:\n    enable_activation_offload: false\n`,
    ],
  },
  {
    seen: "verl #7510, #872: VeOmni's name of the switch",
    path: "run.sh",
    text: `${call} ${block}.enable_async_activation=true\n`,
    code: "foreign-key",
    severity: "error",
    fix: ["Rename to enable_async_activation_offload", `${call} ${block}.enable_async_activation_offload=true\n`],
  },
  {
    seen: "verl #5303: data_parallel_size",
    text: engine("      data_parallel_size: 8"),
    code: "foreign-key",
    severity: "error",
    fix: ["Rename to fsdp_size", engine("      fsdp_size: 8")],
  },
  {
    seen: "verl #5303: tensor_parallel_size",
    text: engine("      seed: 1", "      tensor_parallel_size: 2"),
    code: "foreign-key",
    severity: "error",
    fix: ["Remove tensor_parallel_size", engine("      seed: 1")],
  },
  {
    seen: "verl #6505: use_orig_params, a key of FSDP1",
    text: engine("      seed: 1", "      use_orig_params: true"),
    code: "foreign-key",
    severity: "error",
    fix: ["Remove use_orig_params", engine("      seed: 1")],
  },
  {
    seen: "a guide: the engine's keys under actor.engine",
    text: "model_engine: veomni\nactor_rollout_ref:\n  actor:\n    engine:\n      activation_gpu_limit: 1.0\n    veomni: {}\n",
    code: "misplaced-key",
    severity: "error",
    fix: [
      "Move its keys into veomni",
      "model_engine: veomni\nactor_rollout_ref:\n  actor:\n    veomni:\n      activation_gpu_limit: 1.0\n",
    ],
  },
  {
    seen: "a guide: the same beside a block with other keys",
    text: `${engine("      seed: 1")}    engine: # from the guide\n      activation_gpu_limit: 1.0\n`,
    code: "misplaced-key",
    severity: "error",
    fix: ["Move its keys into veomni", engine("      seed: 1", "      activation_gpu_limit: 1.0")],
  },
  {
    seen: "a guide: the same in a script",
    path: "run.sh",
    text: `${call} +actor_rollout_ref.actor.engine.activation_gpu_limit=1 ${block}.seed=1\n`,
    code: "misplaced-key",
    severity: "error",
    fix: ["Move its keys into veomni", `${call} +${block}.activation_gpu_limit=1 ${block}.seed=1\n`],
  },
  {
    seen: "verl #2486: offload without checkpointing",
    text: `${engine("      enable_async_activation_offload: true")}  model:\n    enable_gradient_checkpointing: false\n`,
    code: "async-without-gc",
    severity: "information",
    fix: [
      "Set enable_gradient_checkpointing to true",
      `${engine("      enable_async_activation_offload: true")}  model:\n    enable_gradient_checkpointing: true\n`,
    ],
  },
];

describe("mistakes seen in public", () => {
  it.each(mistakes)("$seen", ({ path = "experiment.yaml", text, code, severity, fix }) => {
    const found = checkDocument(path, text)?.diagnostics.find((each) => each.code === code);
    expect(checkDocument(path, text)?.diagnostics.map((each) => each.code)).toContain(code);
    expect(found?.severity).toBe(severity);
    if (fix === undefined) return;
    const [title, right] = fix;
    const offered = found?.fixes.find((each) => each.title === title);
    expect(found?.fixes.map((each) => each.title)).toContain(title);
    if (offered === undefined) return;
    expect(applyFix(text, offered)).toBe(right);
    expect(checkDocument(path, right)?.diagnostics.map((each) => each.code)).not.toContain(code);
  });

  it("leaves FSDP's own switch alone (verl #1220, #3629)", () => {
    const text = "actor_rollout_ref:\n  model: {enable_activation_offload: true}\n  actor: {strategy: fsdp2}\n";
    expect(checkDocument("experiment.yaml", text)).toBeUndefined();
  });
});
