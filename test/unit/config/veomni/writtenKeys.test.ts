import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { fieldName } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import type { LayoutId } from "../../../../src/core/config/veomni/layout.js";
import { writtenKeys } from "../../../../src/core/config/veomni/writtenKeys.js";

function keys(text: string, layout: LayoutId = "model-scoped") {
  return writtenKeys(parseConfig(text, "pyyaml"), layout).map(
    ({ path, field }) => `${path}:${field === undefined ? "?" : fieldName(field)}`,
  );
}

describe("writtenKeys", () => {
  it("lists keys in text order, with the rows of the layout", () => {
    expect(keys("model:\n  optimizer: {lr: 1.0}\ntrain:\n  optimizer: {lr: 1.0}\n")).toEqual([
      "model:model",
      "model.optimizer:train.optimizer",
      "model.optimizer.lr:train.optimizer.lr",
      "train:train",
      "train.optimizer:?",
    ]);
  });

  it("does not enter free mappings and unknown blocks", () => {
    expect(keys("model: {lora_config: {rank: 1}, nothing: {a: 1}}\n")).toEqual([
      "model:model",
      "model.lora_config:model.lora_config",
      "model.nothing:?",
    ]);
  });

  it("describes modules of an omni model where the layout has them", () => {
    const text = "model: {modules: {vit: {accelerator: {ep_size: 1}, other: 1}}}\n";
    expect(keys(text)).toEqual([
      "model:model",
      "model.modules.vit.accelerator:train.accelerator",
      "model.modules.vit.accelerator.ep_size:train.accelerator.ep_size",
    ]);
    expect(keys(text, "train-scoped")).toEqual(["model:model", "model.modules:?"]);
  });

  it("keeps both of two equal keys, and follows aliases", () => {
    expect(keys("data: &d {shuffle: true}\ntrain: {seed: 1, seed: 2}\nmodel: *d\n")).toEqual([
      "data:data",
      "data.shuffle:data.shuffle",
      "train:train",
      "train.seed:train.seed",
      "train.seed:train.seed",
      "model:model",
      "model.shuffle:?",
    ]);
  });

  it("takes a key with a dot for what it is", () => {
    expect(keys("train.seed: 1\n")).toEqual(["train.seed:?"]);
  });

  it("stays bounded", () => {
    const many = Array.from({ length: 30_000 }, () => "seed: 1").join(", ");
    expect(keys(`train: {${many}}\n`)).toHaveLength(20_000);
  });
});
