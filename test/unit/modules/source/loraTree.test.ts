import { describe, expect, it } from "vitest";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { withLora } from "../../../../src/core/modules/source/loraTree.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen3");
const lora = withLora(tree);

describe("withLora", () => {
  it("puts every name behind base_model.model", () => {
    expect(lora.modules.slice(0, 4).map(({ name }) => name)).toEqual([
      "",
      "base_model",
      "base_model.model",
      "base_model.model.model",
    ]);
    expect(lora.modules).toHaveLength(tree.modules.length + 2);
    expect(lora.exact).toBe(false);
  });

  it("makes plain patterns fail while prefixed ones and class names still work", () => {
    expect(selectModules(lora, ["model.layers.{*}"]).error?.type).toBe("ValueError");
    expect(selectModules(lora, ["base_model.model.model.layers.{*}"]).depth).toBe(32);
    expect(selectModules(lora, []).selected[0]?.name).toBe("base_model.model.model.layers.0");
  });

  it("moves what a tree knows of its attributes", () => {
    const known = withLora({
      ...tree,
      aliases: new Map([["a", "lm_head"]]),
      noneAttributes: new Set(["x"]),
      sizedAttributes: new Map([["y", 2]]),
      containerLengths: new Map([["model.layers", 3]]),
    });
    expect(known.aliases).toEqual(new Map([["base_model.model.a", "base_model.model.lm_head"]]));
    expect(known.noneAttributes).toEqual(new Set(["base_model.model.x"]));
    expect(known.sizedAttributes?.get("base_model.model.y")).toBe(2);
    expect(known.containerLengths?.get("base_model.model.model.layers")).toBe(3);
  });
});
