import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { isTextTrainerPath, trainersOf } from "../../../../src/core/config/veomni/trainer.js";

describe("trainersOf", () => {
  it.each([
    ["x.yaml", "dpo_config: {}", ["DPO"]],
    ["x.yaml", "train: {training_task: online_training}", ["DiT"]],
    ["x.yaml", "model: {condition_model_path: x}\ndata: {mm_configs: {}}", ["DiT"]],
    ["x.yaml", "data: {mm_configs: {}}", ["VLM"]],
    ["x.yaml", "train: {freeze_vit: true}", ["VLM"]],
    ["configs/dit/a.yaml", "train: {}", ["DiT"]],
    ["a\\configs\\multimodal\\b.yaml", "train: {}", ["VLM"]],
    ["configs/text/a.yaml", "train: {}", []],
    ["x.yaml", "", []],
  ])("of %s with %j are %j", (path, text, expected) => {
    expect(trainersOf(path, parseConfig(text, "pyyaml"))).toEqual(expected);
  });

  it("knows where configs of the text trainer lie", () => {
    expect(isTextTrainerPath("VeOmni/configs/text/a.yaml")).toBe(true);
    expect(isTextTrainerPath("configs/dit/a.yaml")).toBe(false);
  });
});
