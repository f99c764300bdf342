import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("misnamed-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["accelerator: {offload: {enable_activation: true}}"] }, ["warning misnamed-key|offload"]],
    [{ model: ["accelerator: {offload: {enable_activation: true}}"] }, ["error misnamed-key|offload"]],
    [
      {
        data: ["datasets_repeat: 1", "height: 1", "width: 1"],
        model: ["lora_rank: 1", "lora_alpha: 1", "lora_target_modules: [q]"],
        train: ["accelerator: {}", "ops_to_save: [x]", "dyn_bsz_buffer_size: 1", "freeze_encoder: true"],
      },
      [
        "warning misnamed-key|lora_rank",
        "warning misnamed-key|lora_alpha",
        "warning misnamed-key|lora_target_modules",
        "warning misnamed-key|dyn_bsz_buffer_size",
      ],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "misnamed-key")).toEqual(expected);
  });

  it("leaves a file of the deprecated Flux task its keys", () => {
    const source = { model: ["pretrained_vae_path: vae", "lora_rank: 1"], train: ["accelerator: {}"] };
    expect(trainingSummary(source, "misnamed-key")).toEqual([]);
    expect(trainingSummary(source, "other-trainer")).toEqual([
      "information other-trainer|pretrained_vae_path",
      "information other-trainer|lora_rank",
    ]);
  });

  it.each<[TrainingSource]>([
    [{ train: ["accelerator: {offload_config: {enable_activation: true}}"] }],
    [{ data: ["dyn_bsz_buffer_size: 1"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "misnamed-key")).toEqual([]);
  });
});
