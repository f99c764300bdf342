import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { launchesIn } from "../../../../../src/core/config/overrides/launches.js";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("missing-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      "model: {ops_implementation: {}}\ndata: {train_path: x}\ntrain: {max_steps: 1}\n",
      ["information missing-key|model"],
    ],
    [
      "model: {config_path: x, ops_implementation: {}}\ndata: {}\ntrain: {max_steps: 1}\n",
      ["information missing-key|data"],
    ],
    [
      "model: {config_path: x}\ndata: {train_path: null}\ntrain: {checkpoint: {}}\n",
      ["information missing-key|train_path"],
    ],
    [{ data: ["data_type: diffusion"] }, ["information missing-key|data"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "missing-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{}],
    ["model: {config_path: x}\ndata: {train_path: ???}\ntrain: {max_steps: 1}\n"],
    [{ data: ["data_type: diffusion", "text_keys: caption"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "missing-key")).toEqual([]);
  });
});

describe("missing-key beside scripts", () => {
  const text = "model:\n  ops_implementation: {}\ndata:\n  train_path: a.jsonl\ntrain:\n  max_steps: 10\n";
  const path = "/r/configs/a.yaml";
  const task = "torchrun tasks/train_text.py";

  function found(...scripts: readonly string[]): readonly string[] {
    const launches = scripts.flatMap((script, i) => launchesIn(`/r/${"x".repeat(i)}run.sh`, script));
    const diagnostics = checkDocument(path, text, { launches })?.diagnostics ?? [];
    return diagnostics.map(({ severity, message }) => `${severity} ${/(?:, and |\()(.*)$/.exec(message)?.[1]}`);
  }

  const open = ["information unless the command line gives it)."];

  it.each<[string, string[], string[]]>([
    ["none", [], open],
    ["of other files", [`${task} configs/b.yaml\n`], open],
    ["that give the key", [`${task} configs/a.yaml --model.model_path x\n`], []],
    ["that give the other key", [`${task} configs/a.yaml --model.config_path=x\n`], []],
    ["that may give it", [`${task} configs/a.yaml "$@"\n`], open],
    [
      "of which one gives it and another may",
      [`${task} configs/a.yaml $@\n`, `${task} configs/a.yaml --model.model_path x\n`],
      [],
    ],
    ["that may start the file and give it", [`${task} $ROOT/configs/a.yaml --model.model_path x\n`], []],
    [
      "that do not give it",
      [`set -x\n${task} configs/a.yaml --train.lr 1e-5 \\\n  --train.max_steps=3\n`],
      ["error ../run.sh, line 2, starts this file without --model.model_path or --model.config_path."],
    ],
    [
      "of which one does not give it",
      [`${task} configs/a.yaml --model.model_path x\n`, `${task} configs/a.yaml\n`],
      ["error ../xrun.sh, line 1, starts this file without --model.model_path or --model.config_path."],
    ],
  ])("%s", (_, scripts, expected) => {
    expect(found(...scripts)).toEqual(expected);
  });
});
