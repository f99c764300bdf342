import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";
import { renamedTrie, type TensorNode, tensorTrie } from "../../../../src/core/modules/source/tensorTrie.js";

function pathsOf(node: TensorNode, path = ""): readonly string[] {
  return [...node.children].flatMap(([segment, child]) => {
    const here = path === "" ? segment : `${path}.${segment}`;
    return [here, ...pathsOf(child, here)];
  });
}

describe("tensorTrie", () => {
  it("has a node for every module that owns tensors, and for those above", () => {
    expect(pathsOf(tensorTrie(["a.b.0.w", "a.b.1.w", "a.b.1.bias", "head.w", "alone"]))).toEqual([
      "a",
      "a.b",
      "a.b.0",
      "a.b.1",
      "head",
    ]);
  });
});

describe("renamedTrie", () => {
  it("moves numbers along, and joins names that lose theirs", () => {
    const names = TensorNames.of(["layers.0.experts.0.up.w", "layers.0.experts.1.up.w", "layers.1.experts.0.up.w"]);
    const rename = (name: string) => `model.${name.replace(/experts\.\d+\.up/, "experts.up")}`;
    expect(pathsOf(renamedTrie(names, () => true, rename))).toEqual([
      "model",
      "model.layers",
      "model.layers.0",
      "model.layers.0.experts",
      "model.layers.0.experts.up",
      "model.layers.1",
      "model.layers.1.experts",
      "model.layers.1.experts.up",
    ]);
  });

  it("leaves out names that are not loaded, and keeps numbers that only look like a place", () => {
    const names = TensorNames.of(["a.1900000000.w", "a.x.w", "b.3.w"]);
    expect(
      pathsOf(
        renamedTrie(
          names,
          (name) => name !== 1,
          (name) => name,
        ),
      ),
    ).toEqual(["a", "a.1900000000", "b", "b.3"]);
  });

  it("equals the trie of the texts", () => {
    const segment = fc.constantFrom("layers", "0", "1", "2", "10", "q", "w");
    const name = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
    const rename = (text: string) => (text.startsWith("layers") ? `model.${text}` : text.replace(/q\./, "query."));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), (list) => {
        const found = renamedTrie(TensorNames.of(list), () => true, rename);
        expect(found).toEqual(tensorTrie(list.map(rename)));
      }),
      { numRuns: 500 },
    );
  });
});
