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
  ])("%s", (text, expected) => {
    expect(zeroRates(text, "run.sh")).toEqual(expected);
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
