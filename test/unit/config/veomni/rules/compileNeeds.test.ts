import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("compile-needs", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {torch_compile: {enable: true}}"] }, ["error compile-needs|enable: true"]],
    [
      { train: ["dyn_bsz: false", "pad_to_length: true", "torch_compile: {enable: true}"] },
      ["error compile-needs|enable: true"],
    ],
    [
      {
        data: ["data_type: diffusion", "text_keys: x"],
        train: ["pad_to_length: true"],
        model: ["accelerator: {torch_compile: {enable: true}}"],
      },
      ["error compile-needs|enable: true"],
    ],
    [
      {
        model: ["accelerator: {torch_compile: {enable: true}, fsdp_config: {fsdp_mode: ddp}}"],
        train: ["pad_to_length: true"],
      },
      ["error compile-needs|enable: true"],
    ],
    [
      {
        model: ["accelerator: {torch_compile: {enable: true}}"],
        train: ["pad_to_length: true", "training_task: online_training"],
      },
      ["error compile-needs|enable: true"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "compile-needs")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator: {torch_compile: {enable: true}}"], train: ["pad_to_length: true"] }],
    [{ model: ["accelerator: {torch_compile: {enable: false}}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "compile-needs")).toEqual([]);
  });
});
