import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { isTraining, mightBeTraining } from "../../../../src/core/config/veomni/recogniseTraining.js";
import { trainingFixture } from "./checkedTraining.js";

function recognised(path: string, text: string): boolean {
  return mightBeTraining(path, text) && isTraining(path, parseConfig(text, "pyyaml"));
}

const three = "model: {}\ndata: {}\ntrain: {}\n";

describe("isTraining", () => {
  it.each([
    ["train.accelerator", "x.yaml", "model: {}\ndata: {}\ntrain: {accelerator: {}}\n"],
    ["model.accelerator", "x.yaml", "model: {accelerator: {}}\ndata: {}\ntrain: {}\n"],
    ["train.checkpoint", "x.yaml", "model: {}\ndata: {}\ntrain: {checkpoint: {}}\n"],
    ["model.ops_implementation", "x.yaml", "model: {ops_implementation: {}}\ndata: {}\ntrain: {}\n"],
    ["data.train_path", "x.yaml", "model: {}\ndata: {train_path: a}\ntrain: {}\n"],
    ["a file in braces", "x.yaml", '{"model": {}, "data": {"train_path": "a"}, "train": {}}'],
    ["quoted keys", "x.yaml", "\"model\": {}\n'data': {train_path: a}\ntrain: {}\n"],
    ["the config tree", "VeOmni/configs/text/mine.yaml", "model: {}\ntrain: {}\n"],
    ["the config tree on Windows", "VeOmni\\configs\\dit\\a\\b.yaml", "data: {}\ntrain: {}\n"],
    ["saved arguments", "out/veomni_cli.yaml", three],
    ["a pinned file", "x.yaml", "# offload-lens: layout=flat\nmodel: {}\n"],
    [
      "a text whose mapping ends early",
      "x.yaml",
      "model:\n  accelerator:\n    init_device: {a: 1\x85}\n    cp_size: 2\n  list: [a.{*}]\ndata:\n  data_type: c\ntrain:\n  lr: 1\n",
    ],
    ["a broken text", "x.yaml", `model: {}\ndata:\n  train_path: x\ntrain: ${"[".repeat(500)}`],
    ["a block that is not typed yet", "x.yaml", "model:\ndata:\ntrain:\n  accelerator:\n"],
    [
      "own keys among some unknown ones",
      "x.yaml",
      "model: {model_path: a, b: 1, c: 1}\ndata: {train_path: a, d: 1}\ntrain: {e: 1}\n",
    ],
    ["a flat file", "x.yaml", trainingFixture("flat.good.yaml")],
  ])("knows %s", (_, path, text) => {
    expect(recognised(path, text)).toBe(true);
  });

  it.each([
    ["three blocks alone", "x.yaml", three],
    ["two blocks and a marker", "x.yaml", "model: {}\ntrain: {accelerator: {}}\n"],
    ["a list of data sources", "x.yaml", trainingFixture("configs/multimodal/data/mixture.yaml")],
    ["its place", "configs/multimodal/data/mixture.yaml", "model: {}\ndata: {}\n"],
    ["something else in the config tree", "configs/text/other.yaml", "a: 1\n"],
    ["a file of verl", "x.yaml", `model: {}\ndata: {train_path: x}\ntrain: {}\ncritic: {veomni: {}}\n`],
    [
      "another trainer with a path to its data",
      "x.yaml",
      "model: {backbone: resnet, optimizer: {name: sgd}}\ndata: {train_path: /d}\ntrain: {batch_size: 3, checkpoint: {dir: out}}\n",
    ],
    ["another trainer's checkpoint", "x.yaml", "model: {}\ndata: {path: a}\ntrain: {checkpoint: last.pt}\n"],
    ["another trainer's accelerator", "x.yaml", "model: {}\ndata: {path: a}\ntrain: {accelerator: gpu}\n"],
    ["an empty text", "x.yaml", ""],
    ["a list", "x.yaml", "- model: 1\n- data: 2\n- train: 3\n"],
  ])("leaves %s alone", (_, path, text) => {
    expect(recognised(path, text)).toBe(false);
  });
});
