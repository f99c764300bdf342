import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import {
  lengthOf,
  numberOf,
  switchOf,
  textValueOf,
  writtenOn,
} from "../../../../src/core/config/veomni/effectiveValue.js";
import { trainingContext } from "../../../../src/core/config/veomni/trainingContext.js";
import { type TrainingSource, textOfSource } from "./checkedTraining.js";

function contextOf(source: TrainingSource) {
  return trainingContext("x.yaml", parseConfig(textOfSource(source), "pyyaml"));
}

const asyncSwitch = "train.accelerator.offload_config.enable_async_activation";

describe("effective values", () => {
  it("of switches follow Python, defaults included", () => {
    expect(switchOf(contextOf({}), "train.dyn_bsz")).toBe("on");
    expect(switchOf(contextOf({}), "train.pad_to_length")).toBe("off");
    expect(switchOf(contextOf({ train: ["dyn_bsz: no"] }), "train.dyn_bsz")).toBe("off");
    expect(switchOf(contextOf({ train: ['dyn_bsz: "no"'] }), "train.dyn_bsz")).toBe("on");
    expect(switchOf(contextOf({ train: ["dyn_bsz: ${DYN}"] }), "train.dyn_bsz")).toBe("unknown");
    expect(switchOf(contextOf({ train: ["lr: 1.0"] }), asyncSwitch)).toBe("off");
  });

  it("of written switches are keys of the file only", () => {
    expect(writtenOn(contextOf({}), "train.dyn_bsz")).toBeUndefined();
    expect(writtenOn(contextOf({ train: ["dyn_bsz: true"] }), "train.dyn_bsz")?.path).toBe("train.dyn_bsz");
  });

  it("of numbers, texts and lists", () => {
    const context = contextOf({
      model: ["basic_modules: [A, B]"],
      train: ["micro_batch_size: 4", "seed: x", "dyn_bsz_runtime: ${X}"],
    });
    expect(numberOf(context, "train.micro_batch_size")).toBe(4);
    expect(numberOf(context, "train.num_train_epochs")).toBe(1);
    expect(numberOf(context, "train.seed")).toBeUndefined();
    expect(textValueOf(context, "data.data_type")).toBe("conversation");
    expect(textValueOf(context, "train.dyn_bsz_runtime")).toBeUndefined();
    expect(textValueOf(context, "train.micro_batch_size")).toBeUndefined();
    expect(lengthOf(context, "model.basic_modules")).toBe(2);
    expect(lengthOf(context, "train.channel_loss.source_id_keys")).toBe(0);
    expect(lengthOf(context, "train.micro_batch_size")).toBeUndefined();
  });
});
