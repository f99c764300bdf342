import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../../src/core/modules/selection/glob.js";
import { indexOf } from "../../../../src/core/modules/selection/moduleIndex.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";

const tree: ModuleTree = {
  source: "tree-file",
  exact: true,
  uncertain: [],
  modules: ["", "a", "a.b", "c", "c.d.e", "a.late"].map((name) => ({ name })),
  containers: new Set(),
  moduleDicts: new Set(),
};
const matched = (pattern: string) =>
  indexOf(tree)
    .match(compilePattern(pattern))
    .map((row) => tree.modules[row]?.name);

describe("ModuleIndex", () => {
  it("matches in the order of the list, never names that only lie on the way", () => {
    expect(matched("*")).toEqual(["", "a", "c"]);
    expect(matched("*.*")).toEqual(["a.b", "a.late"]);
    expect(matched("c.*.e")).toEqual(["c.d.e"]);
    expect(matched("a.*")).toEqual(["a.b", "a.late"]);
  });

  it("lists children and finds rows", () => {
    const index = indexOf(tree);
    expect(index.childrenOf("").map((node) => node.name)).toEqual(["a", "c"]);
    expect(index.childrenOf("c")).toEqual([]);
    expect(index.find("c.d")).toBeUndefined();
    expect(index.find("")).toEqual({ name: "" });
  });

  it("is built once a tree", () => {
    expect(indexOf(tree)).toBe(indexOf(tree));
  });
});
