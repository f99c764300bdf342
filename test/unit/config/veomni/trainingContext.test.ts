import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { pathOf, placedKey, trainingContext } from "../../../../src/core/config/veomni/trainingContext.js";
import { type TrainingSource, textOfSource } from "./checkedTraining.js";

function contextOf(source: TrainingSource) {
  return trainingContext("x.yaml", parseConfig(textOfSource(source), "pyyaml"));
}

describe("trainingContext", () => {
  it("finds a row's key where the layout has it", () => {
    const newer = contextOf({ model: ["optimizer: {lr: 2.0}"] });
    expect(placedKey(newer, "train.optimizer.lr")?.path).toBe("model.optimizer.lr");
    const flat = contextOf({ train: ["lr: 2.0"] });
    expect(placedKey(flat, "train.optimizer.lr")?.path).toBe("train.lr");
    expect(pathOf(flat, "train.accelerator")).toBeUndefined();
    expect(placedKey(flat, "train.accelerator")).toBeUndefined();
    expect(pathOf(flat, "model.chat_template")).toBe("data.chat_template");
  });

  it("knows layout, trainers and stray keys", () => {
    const context = contextOf({ train: ["accelerator: {}", "freeze_vit: true", "zzz: 1"] });
    expect(context.layout).toBe("train-scoped");
    expect(context.trainers).toEqual(["VLM"]);
    expect(context.strays.map(({ written, found }) => [written.path, found.kind])).toEqual([["train.zzz", "unknown"]]);
  });
});
