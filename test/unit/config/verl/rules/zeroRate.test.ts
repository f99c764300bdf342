import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";

function zeroRates(text: string, path: string): readonly string[] {
  const diagnostics = checkDocument(path, text)?.diagnostics ?? [];
  return diagnostics
    .filter(({ code }) => code === "zero-rate")
    .map(({ severity, span }) => `${severity} ${text.slice(span.start, span.end)}`);
}

const optimizer = (...lines: readonly string[]) =>
  ["_target_: verl.workers.config.VeOmniOptimizerConfig", ...lines, ""].join("\n");
const call = (...words: readonly string[]) =>
  `python3 -m verl.trainer.main_ppo model_engine=veomni actor_rollout_ref.actor.veomni.param_offload=True ${words.join(" ")}\n`;

describe("zeroRate", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["lr: 0"], ["error 0"]],
    [["lr: 0.0", "lr_scheduler_type: linear"], ["error 0.0"]],
    [["lr: 0.0", "lr_scheduler_type: constant", "lr_warmup_steps_ratio: 0.1"], ["error 0.0"]],
    [["lr: 0.0", "lr_scheduler_type: constant"], []],
    [["lr: 0.0", "lr_scheduler_type: my_own"], []],
    [["lr: ${oc.env:LR}"], []],
    [["lr: 1.0e-6"], []],
    [["lr_scheduler_type: cosine"], []],
  ])("%j", (lines, expected) => {
    expect(zeroRates(optimizer(...lines), "optim.yaml")).toEqual(expected);
  });

  it.each([
    [call("actor_rollout_ref.actor.optim.lr=0"), ["error 0"]],
    [call("critic.veomni.seed=1 critic.optim.lr=0.0"), ["error 0.0"]],
    [call("actor_rollout_ref.actor.optim.lr=0 actor_rollout_ref.actor.optim.lr_scheduler_type=constant"), []],
    [call("critic.optim.lr=0"), ["error 0"]],
    [call("'critic.optim={lr: 0, lr_scheduler_type: linear}'"), ["error 0"]],
    [call("critic.optim.lr=0 critic.strategy=fsdp"), []],
    [call("critic.optim.lr=0 algorithm.adv_estimator=grpo"), []],
    [call("critic.optim.lr=0 algorithm.adv_estimator=$ESTIMATOR"), []],
    [call("critic.optim.lr=0 algorithm.adv_estimator=grpo critic.enable=True"), ["error 0"]],
    [call("critic.optim.lr=0 critic.enable=False"), []],
    ["python3 -m verl.trainer.main_ppo model_engine=veomni critic.optim.lr=0\n", ["error 0"]],
    ["python3 -m verl.trainer.main_ppo model_engine=dp critic.optim.lr=0\n", []],
    ["torchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni optim.lr=0\n", ["error 0"]],
    ["torchrun -m verl.trainer.sft_trainer optim=veomni optim.lr=0.0 engine=veomni\n", ["error 0.0"]],
    ["torchrun -m verl.trainer.sft_trainer engine=veomni optim.lr=0\n", ["error 0"]],
    ["torchrun -m verl.trainer.sft_trainer engine=veomni optim=fsdp optim.lr=0\n", []],
    [
      "torchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni optim.lr=0 optim.lr_scheduler_type=constant\n",
      [],
    ],
  ])("%s", (text, expected) => {
    expect(zeroRates(text, "run.sh")).toEqual(expected);
  });

  it.each<[string, string, readonly string[]]>([
    ["SFT by defaults", "defaults:\n  - engine: veomni\n  - optim: veomni\noptim:\n  lr: 0.0\n", ["error 0.0"]],
    ["SFT by its block", "engine:\n  strategy: veomni\noptim:\n  lr: 0\n", ["error 0"]],
    ["SFT of another engine", "engine:\n  strategy: fsdp\noptim:\n  lr: 0\n# not veomni\n", []],
    [
      "a critic without a block beside an actor with one",
      "model_engine: veomni\nactor_rollout_ref:\n  actor:\n    veomni: {seed: 1}\ncritic:\n  optim:\n    lr: 0\n",
      ["error 0"],
    ],
    [
      "a critic by the defaults list",
      "defaults:\n  - override model_engine: veomni\ncritic:\n  optim:\n    lr: 0\n",
      ["error 0"],
    ],
    [
      "a critic whose engine nobody names",
      "actor_rollout_ref:\n  actor:\n    veomni: {seed: 1}\ncritic:\n  optim:\n    lr: 0\n",
      [],
    ],
    [
      "a critic that the estimator does without",
      "model_engine: veomni\nalgorithm:\n  adv_estimator: rloo\ncritic:\n  optim:\n    lr: 0\n",
      [],
    ],
    ["a role's file", "_target_: verl.workers.config.VeOmniCriticConfig\noptim:\n  lr: 0\n", ["error 0"]],
  ])("%s", (_, text, expected) => {
    expect(zeroRates(text, "run.yaml")).toEqual(expected);
  });

  it.each([
    ["    lr: 0.0\n    lr_decay_style: cosine\n", ["error 0.0"]],
    ["    lr: 0\n    lr_decay_style: linear\n", ["error 0"]],
    ["    lr: 0.0\n    lr_warmup_ratio: 0.1\n", ["error 0.0"]],
    ["    lr: 0.0\n", []],
  ])("VeOmni's own %j", (lines, expected) => {
    const text = `model:\n  model_path: m\n  optimizer:\n${lines}  accelerator: {}\ndata:\n  train_path: d\ntrain:\n  max_steps: 1\n`;
    expect(zeroRates(text, "train.yaml")).toEqual(expected);
  });
});
