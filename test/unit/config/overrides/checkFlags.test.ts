import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";

const offload = "--train.accelerator.offload_config";

/** A call of a VeOmni task with these flags, one on a line. */
function script(...flags: readonly string[]): string {
  return ["torchrun tasks/train_text.py config.yaml", ...flags.map((flag) => `  ${flag}`)].join(" \\\n").concat("\n");
}

function found(text: string): readonly string[] {
  const diagnostics = checkDocument("train.sh", text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

function fixed(title: string, text: string): string {
  const fixes = checkDocument("train.sh", text)?.diagnostics.flatMap((diagnostic) => diagnostic.fixes) ?? [];
  const fix = fixes.find((each) => each.title === title);
  if (fix === undefined) throw new Error(`no fix "${title}" among: ${fixes.map((each) => each.title).join("; ")}`);
  return applyEdits(text, fix);
}

describe("checkFlags", () => {
  it("speaks the layout of the flags", () => {
    expect(checkDocument("train.sh", script(`${offload}.enable_async_activation true`))?.dialect).toBe(
      "train-scoped+async",
    );
    expect(checkDocument("train.sh", script("--model.accelerator.ulysses_size 2"))?.dialect).toContain("model-scoped");
  });

  it("takes a flag near a known one for an error, as the argument parser does, and doubts the others", () => {
    const text = script(
      `${offload}.enable_async_activation yes`,
      "--train.accelerator.ulysses_siz 2",
      "--train.bogus 1",
    );
    expect(found(text)).toEqual(["error unknown-key|ulysses_siz", "warning unknown-key|bogus"]);
    expect(fixed("Rename to ulysses_size", text)).toContain("--train.accelerator.ulysses_size 2");
  });

  it("writes a moved key anew", () => {
    const text = script("--train.accelerator.dp_shard_size 2", "--train.ulysses_parallel_size 2");
    expect(found(text)).toEqual(["error moved-key|ulysses_parallel_size"]);
    const result = fixed("Write --train.accelerator.ulysses_size", text);
    expect(result).toBe(script("--train.accelerator.dp_shard_size 2", "--train.accelerator.ulysses_size 2"));
    expect(found(result)).toEqual([]);
  });

  it("judges values by the table", () => {
    const text = script(
      `${offload}.activation_offload_host_cache_limit_gb -1`,
      `${offload}.enable_async_activation maybe`,
    );
    expect(found(text)).toEqual(["error out-of-range|-1", "error wrong-type|maybe"]);
  });

  const on = `${offload}.enable_async_activation true`;

  it.each([
    ["both modes of offload", [on, `${offload}.enable_activation yes`], "error sync-xor-async"],
    [
      "a list without its switch",
      [`${offload}.enable_async_activation no`, `${offload}.activation_offload_modules a.*`],
      "warning modules-need-async",
    ],
    [
      "a limit without its switch",
      [`${offload}.enable_async_activation no`, `${offload}.activation_offload_host_cache_limit_gb 2`],
      "hint cache-without-switch",
    ],
    ["the limit of the other mode", [on, `${offload}.activation_gpu_limit 2`], "hint gpu-limit-async"],
    ["offload with torch.compile", [on, "--train.torch_compile.enable"], "warning async-compile"],
    ["reentrant checkpointing", [on, "--train.gradient_checkpointing.enable_reentrant true"], "warning reentrant"],
    ["no checkpointing", [on, "--train.gradient_checkpointing.enable false"], "information async-without-gc"],
    ["Wan", [on, "--model.model_path Wan-AI/Wan2.1-T2V-14B"], "warning async-wan"],
    [
      "a chunked loss",
      [`${offload}.enable_activation`, "--model.ops_implementation.cross_entropy_loss_implementation chunk_loss"],
      "error chunk-loss-sync",
    ],
    [
      "two ways of sequence parallelism",
      ["--train.accelerator.cp_size 2", "--train.accelerator.ulysses_size 2"],
      "error cp-ulysses",
    ],
    [
      "two ways of saving",
      ["--train.checkpoint.stage_dir /local", "--train.checkpoint.save_async true"],
      "error stage-async",
    ],
    [
      "FSDP2 without meta",
      ["--train.accelerator.fsdp_config.fsdp_mode fsdp2", "--train.init_device cuda"],
      "error fsdp2-meta",
    ],
    [
      "compiling without padding",
      ["--train.torch_compile.enable", "--train.dyn_bsz no", "--train.pad_to_length no"],
      "error compile-needs",
    ],
    [
      "streamed loading and a broadcast",
      ["--train.ep_sharded_stream_load", "--train.broadcast_model_weights_from_rank0 true"],
      "error stream-load",
    ],
    ["batch sizes", ["--train.global_batch_size 6", "--train.micro_batch_size 4"], "error batch-multiple"],
    [
      "varying token counts and a large cache",
      [
        on,
        `${offload}.activation_offload_host_cache_limit_gb 8`,
        "--train.dyn_bsz true",
        "--train.pad_to_length false",
      ],
      "information cache-hoards",
    ],
    [
      "padding of batches that are not dynamic",
      ["--train.pad_to_length true", "--train.dyn_bsz false"],
      "warning padding-needs-dyn-bsz",
    ],
    ["a reserved value", ["--model.accelerator.fsdp_config.fsdp_mode eager"], "error not-implemented"],
    [
      "a deprecated value",
      ["--model.ops_implementation.moe_implementation fused", "--model.accelerator.ulysses_size 2"],
      "information deprecated-value",
    ],
    [
      "a pattern inside the layer",
      [on, `${offload}.activation_offload_modules 'model.layers.*.mlp'`],
      "warning pattern-inside-layer",
    ],
  ])("sees how flags go together: %s", (_, flags, expected) => {
    expect(found(script(...flags)).map((line) => line.split("|")[0])).toContain(expected);
  });

  it("renames a block in every flag that names it, and nothing else of the flags", () => {
    const text = (name: string) =>
      script(
        `--train.accelerator.${name}.enable_activation true`,
        `--train.accelerator.${name}.activation_gpu_limit 2.0`,
      );
    expect(found(text("offload"))).toEqual(["error misnamed-key|offload"]);
    expect(fixed("Rename to offload_config", text("offload"))).toBe(text("offload_config"));
    expect(found(text("offload_config"))).toEqual([]);
  });

  it("offers the fix where the value stands", () => {
    const text = (sync: string) => script(on, `${offload}.enable_activation ${sync}`);
    expect(fixed("Set train.accelerator.offload_config.enable_activation to false", text("true"))).toBe(text("false"));
  });

  it.each([
    [[`${offload}.activation_offload_modules a.*`]],
    [[on, "--train.dyn_bsz true"]],
    [["--train.torch_compile.enable"]],
    [["--train.init_device cuda"]],
    [["--train.ep_sharded_stream_load"]],
    [["--train.pad_to_length true"]],
    [["--train.global_batch_size 7"]],
    [["--train.optimizer.muon_head_group_size 2"]],
    [["--model.ops_implementation.causal_conv1d_implementation eager"]],
  ])("leaves open what the YAML file of the call may say: %j", (flags) => {
    expect(found(script(...flags))).toEqual([]);
  });

  it.each([
    [`${offload}.enable_async_activation`],
    [`${offload}.enable_async_activation yes`, `${offload}.activation_offload_modules 'model.layers.{*}' model.norm`],
    ["--train.optimizer.lr 1e-5", "--model.model_path 3"],
    [`${offload}.activation_offload_modules model.layers.*`],
  ])("is content with %j", (...flags) => {
    expect(found(script(...flags))).toEqual([]);
  });
});
