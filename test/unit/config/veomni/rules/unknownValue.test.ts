import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { trainingText } from "../../../../../src/core/config/veomni/rules/trainingExample.js";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("unknown-value", () => {
  it.each([
    ["qwen3vl", "mm_configs: {}", []],
    ["janus", "mm_configs: {}", []],
    ["qwen2vl_pretrain", "max_seq_len: 10", []],
    ["nobodys", "mm_configs: {}", ["hint unknown-value|nobodys"]],
  ])("takes the chat template %s beside %s", (template, other, expected) => {
    const source: TrainingSource = {
      data: [`chat_template: ${template}`, other],
      train: ["accelerator: {}"],
    };
    expect(trainingSummary(source, "unknown-value")).toEqual(expected);
  });

  it("knows which templates only the vision-language trainer had", () => {
    const text = trainingText({ data: ["chat_template: janus"], train: ["accelerator: {}"] });
    const at = (path: string) => checkDocument(path, text)?.diagnostics.map(({ code }) => code);
    expect(at("configs/text/mine.yaml")).toEqual(["unknown-value"]);
    expect(at("configs/multimodal/mine.yaml")).toEqual([]);
  });

  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {fsdp_config: {fsdp_mode: fsdp1}}"] }, ["error unknown-value|fsdp1"]],
    [{ train: ["dyn_bsz_runtime: mian"] }, ["warning unknown-value|mian"]],
    [{ model: ["ops_implementation: {attn_implementation: mine}"] }, ["hint unknown-value|mine"]],
    [{ model: ["accelerator: {init_device: cpu, fsdp_config: {fsdp_mode: ddp}}"] }, ["warning unknown-value|cpu"]],
    [{ train: ["init_device: mlu", "accelerator: {fsdp_config: {fsdp_mode: ddp}}"] }, ["warning unknown-value|mlu"]],
    [{ train: ["accelerator: {fsdp_config: {fsdp_mode: eager}}"] }, ["error unknown-value|eager"]],
    [{ data: ["chat_template: mine"] }, ["hint unknown-value|mine"]],
    [{ train: ["lr: 1.0e-5", "ckpt_manager: omnistore"] }, ["hint unknown-value|omnistore"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "unknown-value")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["data_parallel_mode: fsdp1"] }],
    [{ model: ["accelerator: {init_device: mlu, fsdp_config: {fsdp_mode: ddp}}"] }],
    [{ train: ["init_device: cpu", "accelerator: {fsdp_config: {fsdp_mode: ddp}}"] }],
    [{ model: ["ops_implementation: {attn_implementation: sdpa}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "unknown-value")).toEqual([]);
  });
});
