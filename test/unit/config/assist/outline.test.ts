import { describe, expect, it } from "vitest";
import { type ConfigOutline, keysAt } from "../../../../src/core/config/assist/outline.js";
import { outlineOfText } from "../ofText.js";

const training = "model:\n  accelerator:\n    x: 1\ndata:\n  train_path: y\ntrain:\n  z: 1\n";

function names(outline: ConfigOutline | undefined, path: readonly string[]): readonly string[] {
  return (outline === undefined ? [] : (keysAt(outline, path)?.docs ?? [])).map(({ name }) => name);
}

describe("recogniseForAssist", () => {
  it("takes the layout of the file, of its pin, of the caller, in this order of weight", () => {
    const dialect = (text: string, option?: "flat") => outlineOfText("a.yaml", text, option)?.outline.dialect;
    expect(dialect(training)).toBe("model-scoped");
    expect(dialect(training, "flat")).toBe("flat");
    expect(dialect(`# offload-lens: layout=train-scoped\n${training}`, "flat")).toBe("train-scoped");
  });

  it("takes files of verl's tree by their path, empty ones too", () => {
    const outline = outlineOfText("/x/verl/trainer/config/engine/veomni.yaml", "")?.outline;
    expect(names(outline, [])).toContain("activation_offload_modules");
    const optimizer = outlineOfText("/x/config/optim/veomni.yaml", "")?.outline;
    expect(names(optimizer, [])).toContain("lr_warmup_steps");
  });

  it("leaves other files alone", () => {
    expect(outlineOfText("a.yaml", "model:\n  x: 1\n")).toBeUndefined();
  });
});

describe("keysAt", () => {
  it("knows the members of blocks, nested ones too, and of nothing else", () => {
    const outline = outlineOfText("a.yaml", "critic:\n  veomni:\n    seed: 1\n")?.outline;
    expect(names(outline, ["critic", "veomni"])).toContain("seed");
    expect(names(outline, ["critic", "veomni", "router_replay"])).toContain("mode");
    expect(names(outline, ["critic", "veomni", "seed"])).toEqual([]);
    expect(names(outline, ["data"])).toEqual([]);
  });

  it("gives no key twice", () => {
    const outline = outlineOfText("a.yaml", training)?.outline;
    for (const path of [[], ["model"], ["train"], ["data"], ["model", "accelerator"]]) {
      const found = names(outline, path);
      expect(new Set(found).size).toBe(found.length);
      expect(found.length).toBeGreaterThan(0);
    }
  });

  it("has the same keys in the modules of an omni model", () => {
    const outline = outlineOfText("a.yaml", training)?.outline;
    expect(names(outline, ["model", "modules", "vision", "accelerator"])).toEqual(
      names(outline, ["model", "accelerator"]),
    );
  });
});
