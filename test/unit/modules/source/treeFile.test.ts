import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readTreeFile } from "../../../../src/core/modules/source/treeFile.js";

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

const base = {
  named_modules: [
    ["", "Model"],
    ["layers", "ModuleList"],
    ["layers.0", "Layer"],
  ],
  containers: ["layers"],
};

function problemCode(bytes: Uint8Array): string {
  const tree = readTreeFile(bytes);
  return tree.ok ? "none" : tree.problem.code;
}

describe("readTreeFile", () => {
  it("reads names, classes and containers", () => {
    const tree = readTreeFile(bytesOf({ ...base, model_type: "toy", no_split_modules: ["Layer"] }));
    expect(tree).toMatchObject({
      ok: true,
      value: { source: "tree-file", exact: true, modelType: "toy", noSplitModules: ["Layer"] },
    });
    if (!tree.ok) return;
    expect(tree.value.modules[2]).toEqual({ name: "layers.0", type: "Layer" });
    expect([...tree.value.containers]).toEqual(["layers"]);
  });

  it("reads the optional members as objects or as pairs", () => {
    for (const aliases of [{ decoder: "layers" }, [["decoder", "layers"]], { layers: ["decoder"] }]) {
      const tree = readTreeFile(
        bytesOf({
          ...base,
          aliases,
          none_attributes: ["vision"],
          sized_attributes: { stages: 2 },
          container_lengths: { layers: 3 },
        }),
      );
      if (!tree.ok) throw new Error(tree.problem.message);
      expect(tree.value.aliases?.get("decoder")).toBe("layers");
      expect(tree.value.noneAttributes?.has("vision")).toBe(true);
      expect(tree.value.sizedAttributes?.get("stages")).toBe(2);
      expect(tree.value.containerLengths?.get("layers")).toBe(3);
    }
  });

  it("is not exact without class names", () => {
    const tree = readTreeFile(
      bytesOf({
        ...base,
        named_modules: [
          ["", null],
          ["layers", null],
        ],
      }),
    );
    expect(tree).toMatchObject({ ok: true, value: { exact: false } });
  });

  it("tells an absent no_split_modules from None", () => {
    const absent = readTreeFile(bytesOf(base));
    const none = readTreeFile(bytesOf({ ...base, no_split_modules: null }));
    expect(absent.ok && absent.value.noSplitModules).toBeUndefined();
    expect(none.ok && none.value.noSplitModules).toEqual([]);
  });

  it.each([
    ["no JSON", bytesOf("{"), "TREE_FILE_NOT_JSON"],
    ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "TREE_FILE_NOT_JSON"],
    ["gzip data", gzipSync("{}"), "TREE_FILE_NOT_JSON"],
    ["no object", bytesOf([]), "TREE_FILE_INVALID"],
    ["no modules", bytesOf({}), "TREE_FILE_INVALID"],
    ["a number as name", bytesOf({ named_modules: [[1, "A"]] }), "TREE_FILE_INVALID"],
    ["a huge length", bytesOf({ ...base, sized_attributes: { a: 1e15 } }), "TREE_FILE_INVALID"],
    ["a negative length", bytesOf({ ...base, container_lengths: { layers: -1 } }), "TREE_FILE_INVALID"],
    [
      "a name twice",
      bytesOf({
        named_modules: [
          ["a", "A"],
          ["a", "A"],
        ],
      }),
      "TREE_FILE_DUPLICATE",
    ],
  ])("refuses %s", (_, bytes, code) => {
    expect(problemCode(bytes)).toBe(code);
  });

  it("keeps hostile names as plain names", () => {
    const tree = readTreeFile(bytesOf('{"named_modules":[["__proto__","A"]],"aliases":{"__proto__":"x"}}'));
    expect(tree.ok && tree.value.modules[0]?.name).toBe("__proto__");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
