import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";

function found(path: string, text: string): readonly string[] {
  return (checkDocument(path, text)?.diagnostics ?? [])
    .filter(({ code }) => code === "batch-multiple")
    .map(({ severity, span, message }) => {
      const how = /ZeroDivisionError|ValueError|asserts|assertion/.exec(message)?.[0];
      return `${severity} ${text.slice(span.start, span.end)} ${how}`;
    });
}

const call = (...words: readonly string[]) =>
  `python3 -m verl.trainer.main_ppo model_engine=veomni ${words.join(" ")}\n`;
const actor = "actor_rollout_ref.actor";
const rollout = "actor_rollout_ref.rollout";
const share = `${actor}.ppo_micro_batch_size_per_gpu`;

describe("batchFindings", () => {
  // What `validate_config` of verl 0.9.1 said to these overrides of its composed tree, run beside this table.
  it.each<[readonly string[], readonly string[]]>([
    [[`${share}=1`], []],
    [["trainer.n_gpus_per_node=0"], ["error 0 ZeroDivisionError"]],
    [["trainer.nnodes=0"], ["error 0 ZeroDivisionError"]],
    [["trainer.nnodes=0", `${actor}.use_dynamic_bsz=True`], []],
    [["trainer.n_gpus_per_node=6", `${rollout}.n=3`, `${actor}.ppo_mini_batch_size=64`], []],
    [["data.train_batch_size=128"], ["error 128 ValueError"]],
    [["data.train_batch_size=128", `${actor}.use_dynamic_bsz=True`], []],
    [[`${actor}.ppo_micro_batch_size=0`], ["error 0 ZeroDivisionError"]],
    [[`${actor}.ppo_micro_batch_size=24`], ["error 24 ValueError"]],
    [[`${actor}.ppo_micro_batch_size=4`], ["error 4 ValueError"]],
    [[`${actor}.ppo_micro_batch_size=8`], []],
  ])("validate_config: %j", (words, expected) => {
    expect(found("run.sh", call(...words))).toEqual(expected);
  });

  it("asserts on the batch of all GPUs, and again on the share of each in the update", () => {
    const words = ["trainer.n_gpus_per_node=3", `${rollout}.tensor_model_parallel_size=1`];
    expect(found("run.sh", call(...words))).toEqual(["error 3 asserts"]);
  });

  it.each<[readonly string[], readonly string[]]>([
    [["data.train_batch_size=0"], ["error 0 ZeroDivisionError"]],
    [[`${actor}.ppo_mini_batch_size=0`], ["error 0 ZeroDivisionError"]],
    [[`${actor}.ppo_mini_batch_size=12`, `${actor}.use_dynamic_bsz=True`], ["error 12 assertion"]],
    [[`${actor}.ppo_mini_batch_size=12`, `${rollout}.n=4`], []],
    [[`${actor}.ppo_mini_batch_size=12`, `${actor}.veomni.ulysses_parallel_size=2`], []],
    [[`${actor}.ppo_mini_batch_size=$MINI`], []],
    [[`${share}=0`], ["error 0 ZeroDivisionError"]],
    [[`${share}=0`, `${actor}.use_dynamic_bsz=True`], []],
    [[`${share}=5`], ["error 5 assertion"]],
    [[`${share}=32`], []],
    [[`${rollout}.tensor_model_parallel_size=3`], ["error 3 assertion"]],
    [[`${rollout}.tensor_model_parallel_size=16`], ["error 16 assertion"]],
    [[`${rollout}.tensor_model_parallel_size=16`, "trainer.nnodes=2"], []],
    [[`${rollout}.tensor_model_parallel_size=0`], ["error 0 ZeroDivisionError"]],
    [[`${rollout}.tensor_model_parallel_size=3`, "actor_rollout_ref.hybrid_engine=False"], []],
    [["critic.ppo_mini_batch_size=12", "critic.use_dynamic_bsz=True"], ["error 12 assertion"]],
    [["critic.ppo_mini_batch_size=12", "algorithm.adv_estimator=grpo"], []],
    [["--config-name mine", `${actor}.ppo_mini_batch_size=12`], []],
    [["--config-name mine", `${actor}.ppo_mini_batch_size=0`], ["error 0 ZeroDivisionError"]],
  ])("workers: %j", (words, expected) => {
    expect(found("run.sh", call(...words))).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ["trainer.save_freq=0", ["error 0 ZeroDivisionError"]],
    ["trainer.test_freq=0", ["error 0 ZeroDivisionError"]],
    ["trainer.test_freq=-1", []],
    ["trainer.save_freq=after_each_epoch", []],
    ["data.micro_batch_size_per_gpu=0", []],
    ["'data.use_dynamic_bsz=False' data.micro_batch_size_per_gpu=0", ["error 0 ZeroDivisionError"]],
    ["data.train_batch_size=0", ["error 0 ValueError"]],
  ])("the SFT trainer: %s", (words, expected) => {
    const text = `torchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni ${words}\n`;
    expect(found("run.sh", text)).toEqual(expected);
  });

  it("of a file judges only what the file itself gives", () => {
    const text = (mini: string) =>
      `model_engine: veomni\ntrainer:\n  nnodes: 2\n  n_gpus_per_node: 8\nactor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: ${mini}\n    veomni:\n      ulysses_parallel_size: 1\n`;
    expect(found("run.yaml", text("24"))).toEqual([]);
    expect(found("run.yaml", `${text("24")}  rollout:\n    n: 1\n`)).toEqual(["error 24 assertion"]);
    expect(found("run.yaml", `${text("24")}  rollout:\n    n: 2\n`)).toEqual([]);
    expect(found("run.yaml", `${text("24")}  rollout:\n    n: \${oc.env:N}\n`)).toEqual([]);
  });
});
