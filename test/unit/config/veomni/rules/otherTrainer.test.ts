import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("other-trainer", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ["training_task: online_training", "vit_lr: 1.0e-6"] }, ["information other-trainer|vit_lr"]],
    [{ train: ["vit_lr: 1.0e-6"], top: ["dpo_config: {beta: 0.1}"] }, ["information other-trainer|vit_lr"]],
    [
      {
        data: ["datasets_repeat: 1", "height: 1", "width: 1"],
        train: ["accelerator: {}", "ops_to_save: [x]", "freeze_encoder: true"],
      },
      ["datasets_repeat", "height", "width", "ops_to_save", "freeze_encoder"].map(
        (key) => `information other-trainer|${key}`,
      ),
    ],
    [{ model: ["accelerator: {}"], train: ["freeze_encoder: true"] }, ["warning other-trainer|freeze_encoder"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "other-trainer")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ train: ["freeze_vit: true", "vit_lr: 1.0e-6"] }], [{ train: ["vit_lr: 1.0e-6"] }]])(
    "is silent on %j",
    (source) => {
      expect(trainingSummary(source, "other-trainer")).toEqual([]);
    },
  );
});
