import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedTree } from "../recordedTrees.js";
import { mixedTree, outlineOf, treeOf } from "./sampleTrees.js";

describe("ModuleOutline", () => {
  it("knows parents, depths and ends", () => {
    const outline = outlineOf(mixedTree);
    const layers = mixedTree.modules.findIndex(({ name }) => name === "model.layers");
    expect(outline.nameAt(layers)).toBe("model.layers");
    expect(outline.endAt(layers) - layers).toBe(13);
    expect(outline.nameAt(outline.parent[layers] ?? -1)).toBe("model");
    expect([outline.depth[0], outline.depth[layers]]).toEqual([0, 2]);
    expect(outline.childrenOf(0).map((child) => outline.labelAt(child))).toEqual(["model", "head"]);
  });

  it("folds neighbours that are equal down to the last module", () => {
    const outline = outlineOf(mixedTree);
    const layers = outline.childrenOf(1)[1] ?? -1;
    expect(outline.foldedChildrenOf(layers)).toEqual([4, { first: 7, last: 13, count: 3 }]);
    expect(outline.wholeRunOf(layers)).toBeUndefined();
  });

  it("folds all layers of a recorded model, and the experts in each", () => {
    const outline = outlineOf(recordedTree("qwen3_moe").tree);
    const layers = outline
      .childrenOf(outline.childrenOf(0)[0] ?? -1)
      .find((child) => outline.labelAt(child) === "layers");
    expect(outline.wholeRunOf(layers ?? -1)?.count).toBe(outline.childrenOf(layers ?? -1).length);
  });

  it("does not fold what has other numbers, other classes or no number", () => {
    const outline = outlineOf(treeOf(":M", "a:L", "a.0:X", "a.2:X", "a.3:Y", "a.b:Y", "a.c:Y"));
    expect(outline.foldedChildrenOf(1)).toEqual([2, 3, 4, 5, 6]);
  });

  it("hangs modules without a listed parent below the nearest listed ancestor", () => {
    const outline = outlineOf(treeOf("x.y.z", "x", "a.b"));
    expect(outline.childrenOf(-1).map((child) => outline.nameAt(child))).toEqual(["x", "a.b"]);
    expect(outline.labelAt(1)).toBe("y.z");
  });

  it("places every module once, for any list of names", () => {
    const segment = fc.constantFrom("a", "b", "0", "1", "");
    const name = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join("."));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
        const outline = outlineOf(treeOf(...names));
        expect([...outline.rowAt].sort((a, b) => a - b)).toEqual(names.map((_, row) => row));
        for (let position = 0; position < names.length; position += 1) {
          const parent = outline.parent[position] ?? -1;
          expect(parent).toBeLessThan(position);
          if (parent >= 0) expect(outline.endAt(position)).toBeLessThanOrEqual(outline.endAt(parent));
        }
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
