import { describe, expect, it } from "vitest";
import { fixesOfRule, trainingFixed } from "./checkedTraining.js";

describe("fixes", () => {
  it("set a key that stands in the file, or add it where the layout wants it", () => {
    const model = ["accelerator:", "  offload_config:", "    activation_offload_modules: [a.*]"];
    const title = "Set model.accelerator.offload_config.enable_async_activation to true";
    expect(trainingFixed(title, { model })).toContain(
      "    activation_offload_modules: [a.*]\n      enable_async_activation: true\n".replace(/^ {4}/, "      "),
    );
    expect(trainingFixed(title, { model: [...model, "    enable_async_activation: false # off"] })).toContain(
      "enable_async_activation: true # off\n",
    );
  });

  it("rename in the block, and move between blocks with comments", () => {
    const train = ["accelerator: {}", "# epochs", "max_stesp: 3 # three", "# length", "max_seq_len: 5"];
    expect(
      trainingFixed(
        "Rename to max_steps",
        "model: {model_path: a}\ndata: {train_path: x}\ntrain:\n  checkpoint: {}\n  max_stesp: 3 # three\n",
      ),
    ).toContain("  max_steps: 3 # three\n");
    expect(trainingFixed("Move to data.max_seq_len", { train })).toContain(
      "  train_path: data.jsonl\n  # length\n  max_seq_len: 5\ntrain:\n",
    );
  });

  it("rename nothing to a key that is there already", () => {
    expect(fixesOfRule({ train: ["max_stesp: 3"] }, "unknown-key").map((fix) => fix.title)).toEqual([
      "Remove train.max_stesp",
    ]);
  });

  it("move the flat optimizer into its block", () => {
    expect(
      trainingFixed("Move to model.optimizer.type", { model: ["accelerator: {}"], train: ["optimizer: adamw"] }),
    ).toContain("  accelerator: {}\n  optimizer:\n    type: adamw\n");
    expect(
      trainingFixed("Write type: adamw below it", { train: ["accelerator: {}", "optimizer: adamw # old"] }),
    ).toContain("  optimizer:\n    type: adamw # old\n");
  });
});
