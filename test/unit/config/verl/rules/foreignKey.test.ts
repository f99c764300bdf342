import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../../checkedText.js";

describe("foreign-key", () => {
  it.each([
    ["enable_async_activation: true", "enable_async_activation_offload"],
    ["enable_activation_offload: true", "enable_async_activation_offload"],
    ["ulysses_sequence_parallel_size: 2", "ulysses_parallel_size"],
    ["ep_size: 4", "expert_parallel_size"],
    ["data_parallel_size: 8", "fsdp_size"],
  ])("finds %s and renames it", (line, replacement) => {
    const key = line.split(":")[0] ?? "";
    expect(summary(engine(line))).toEqual([`error foreign-key|${key}`]);
    const result = fixed(`Rename to ${replacement}`, engine(line));
    expect(result).toBe(engine(line.replace(key, replacement)));
    expect(summary(result)).toEqual([]);
  });

  it("removes what has no counterpart", () => {
    expect(fixed("Remove use_orig_params", engine("use_orig_params: true", "seed: 1"))).toBe(engine("seed: 1"));
  });

  it("does not rename to a key that stands already", () => {
    const text = engine("enable_async_activation: true", "enable_async_activation_offload: true");
    expect(findingsIn(text).flatMap((finding) => finding.fixes.map((fix) => fix.title))).toEqual([
      "Remove enable_async_activation",
    ]);
  });

  it("does not look outside the block", () => {
    expect(
      summary("actor_rollout_ref:\n  model: {enable_activation_offload: false}\n  actor: {veomni: {seed: 1}}\n"),
    ).toEqual([]);
  });
});

describe("foreign-key in an optimizer block", () => {
  const optim = (line: string): string =>
    ["engine:", "  _target_: verl.workers.config.VeOmniEngineConfig", "optim:", `  ${line}`, ""].join("\n");

  it.each([
    ["grad_clip: 1.0", "clip_grad"],
    ["lr_scheduler: cosine", "lr_scheduler_type"],
    ["warmup_style: constant", "lr_scheduler_type"],
    ["warmup_steps_ratio: 0.1", "lr_warmup_steps_ratio"],
    ["min_lr: 1.0e-6", "lr_min"],
    ["total_steps: 100", "total_training_steps"],
  ])("%s", (line, replacement) => {
    const key = line.split(":")[0] ?? "";
    expect(summary(optim(line))).toEqual([`error foreign-key|${key}`]);
    expect(findingsIn(optim(line))[0]?.message).toContain(`verl's VeOmni optimizer has no key ${key}`);
    const result = fixed(`Rename to ${replacement}`, optim(line));
    expect(result).toBe(optim(line.replace(key, replacement)));
    expect(summary(result)).toEqual([]);
  });
});
