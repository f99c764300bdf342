import { describe, expect, it } from "vitest";
import { canonicalName, resolveAttribute } from "../../../../src/core/modules/selection/attributes.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";

const tree: ModuleTree = {
  source: "tree-file",
  exact: true,
  uncertain: [],
  modules: [
    { name: "", type: "Model" },
    { name: "body", type: "Body" },
    { name: "body.layers", type: "ModuleList" },
    { name: "body.layers.0", type: "Layer" },
    { name: "body.named", type: "Sequential" },
    { name: "body.named.first", type: "Linear" },
  ],
  containers: new Set(["body.layers"]),
  moduleDicts: new Set(),
  aliases: new Map([["trunk", "body"]]),
  noneAttributes: new Set(["body.vision"]),
  sizedAttributes: new Map([["body.config.layer_types", 3]]),
};

describe("resolveAttribute", () => {
  it.each([
    ["", "missing"],
    ["body..layers", "missing"],
    ["nowhere", "missing"],
    ["body.vision", "none"],
    ["body.vision.blocks", "missing"],
    ["body", "no-length"],
    ["body.layers.0", "no-length"],
    ["body.forward", "no-length"],
    ["config", "no-length"],
    ["training", "no-length"],
    ["body.layers", "sized"],
    ["trunk.layers", "sized"],
    ["body.config.layer_types", "sized"],
  ])("of %j is %s", (prefix, kind) => {
    expect(resolveAttribute(tree, prefix).kind).toBe(kind);
  });

  it("lists children by number, else by order", () => {
    const childrenOf = (name: string) => {
      const value = resolveAttribute(tree, name);
      return value.kind === "sized" ? value.children() : [];
    };
    expect(resolveAttribute(tree, "body.layers")).toMatchObject({ kind: "sized", modules: true, length: 1 });
    expect(childrenOf("body.layers")).toEqual([{ module: "body.layers.0", type: "Layer" }]);
    expect(childrenOf("body.named")).toMatchObject([{ module: "body.named.first" }]);
  });

  it("names the segment that is missing and its parent", () => {
    expect(resolveAttribute(tree, "trunk.head.x")).toMatchObject({ kind: "missing", segment: "head", parent: "body" });
  });
});

describe("canonicalName", () => {
  it("follows aliases of any parent", () => {
    expect(canonicalName(tree, "trunk.layers.0")).toBe("body.layers.0");
    expect(canonicalName(tree, "body.layers.0")).toBe("body.layers.0");
  });
});
