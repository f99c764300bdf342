import { describe, expect, it } from "vitest";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { recordedTree, recordedTreeNames } from "../recordedTrees.js";

function treeOf(rows: readonly (readonly [string, string])[], more: Partial<ModuleTree> = {}): ModuleTree {
  return {
    source: "tree-file",
    exact: true,
    uncertain: [],
    modules: rows.map(([name, type]) => ({ name, type })),
    containers: new Set(["layers"]),
    moduleDicts: new Set(),
    noSplitModules: ["Layer"],
    ...more,
  };
}

const small = treeOf([
  ["", "Model"],
  ["embed", "Embedding"],
  ["layers", "ModuleList"],
  ["layers.0", "Layer"],
  ["layers.0.mlp", "MLP"],
  ["layers.1", "Layer"],
  ["layers.1.mlp", "MLP"],
  ["head", "Linear"],
]);

const codes = (patterns: readonly string[] | string, tree = small) =>
  selectModules(tree, patterns).patterns.map((pattern) => pattern.notes.map((note) => note.code));

describe("selectModules equals the recorded runs", () => {
  it.each(recordedTreeNames)("on %s", (name) => {
    const { tree, matches } = recordedTree(name);
    expect(matches.length).toBe(42);
    for (const match of matches) {
      const result = selectModules(tree, match.plan);
      const errorType = match.raises ?? (match.depth === 0 ? "ValueError" : undefined);
      expect({ plan: match.plan, error: result.error?.type }).toEqual({ plan: match.plan, error: errorType });
      expect(result.selected.map((entry) => entry.name)).toEqual(match.names ?? []);
      expect(result.depth).toBe(match.depth ?? 0);
      if (match.message !== undefined) expect(result.error?.message).toBe(match.message);
    }
  });
});

describe("selectModules", () => {
  it("numbers entries in selection order and keeps the last on the device", () => {
    const { selected, depth } = selectModules(small, ["layers.{*}", "embed"]);
    expect(selected).toEqual([
      { name: "layers.0", type: "Layer", index: 0, effectiveIndex: 0, staysOnDevice: false },
      { name: "layers.1", type: "Layer", index: 1, effectiveIndex: 1, staysOnDevice: false },
      { name: "embed", type: "Embedding", index: 2, effectiveIndex: 2, staysOnDevice: true },
    ]);
    expect(depth).toBe(3);
  });

  it("lists twice what {*} selects again, and runs it with the last index", () => {
    const { selected, depth } = selectModules(small, ["layers.*", "layers.{*}"]);
    expect(selected.map((entry) => [entry.name, entry.index, entry.effectiveIndex, entry.staysOnDevice])).toEqual([
      ["layers.0", 0, 2, false],
      ["layers.1", 1, 3, true],
      ["layers.0", 2, 2, false],
      ["layers.1", 3, 3, true],
    ]);
    expect(depth).toBe(4);
    expect(codes(["layers.*", "layers.{*}"])).toEqual([[], ["DOUBLE_LISTED"]]);
    expect(codes(["layers.{*}", "layers.*"])).toEqual([[], ["ALREADY_SELECTED"]]);
  });

  it("reads a text one character at a time", () => {
    const result = selectModules(small, "l.{*}");
    expect(result.patterns.map((pattern) => [pattern.pattern, pattern.kind, pattern.matched])).toEqual([
      ["l", "glob", 0],
      [".", "glob", 0],
      ["{", "glob", 0],
      ["*", "glob", 4],
      ["}", "glob", 0],
    ]);
    expect(result.selected.map((entry) => entry.name)).toEqual(["", "embed", "layers", "head"]);
    expect(result.patterns[0]?.notes[0]?.code).toBe("TEXT_AS_LIST");
    expect(result.patterns[3]?.notes.map((note) => note.code)).toEqual(["ROOT_SELECTED", "CONTAINER_SELECTED"]);
  });

  it("matches the root by an empty pattern", () => {
    expect(selectModules(small, [""]).selected.map((entry) => entry.name)).toEqual([""]);
  });

  it("selects nothing after TypeError and says which patterns were not reached", () => {
    const result = selectModules(small, ["layers.{*}", "embed.{*}", "head"]);
    expect(result).toMatchObject({ selected: [], depth: 0, error: { type: "TypeError" } });
    expect(result.error?.message).toBe("object of type 'Embedding' has no len()");
    expect(result.patterns.map((pattern) => pattern.notes.map((note) => note.code))).toEqual([
      [],
      ["NO_LENGTH"],
      ["NOT_REACHED"],
    ]);
  });

  it("selects by class in the automatic mode", () => {
    expect(selectModules(small, []).selected.map((entry) => entry.name)).toEqual(["layers.0", "layers.1"]);
    expect(selectModules(treeOf([["", "Model"]]), []).error?.type).toBe("ValueError");
    expect(selectModules({ ...small, noSplitModules: [] }, "").error?.type).toBe("ValueError");
  });

  it("follows aliases, None and sized attributes of the tree", () => {
    const tree: ModuleTree = {
      ...small,
      aliases: new Map([["decoder", "layers"]]),
      noneAttributes: new Set(["vision"]),
      sizedAttributes: new Map([["stages", 2]]),
    };
    const aliased = selectModules(tree, ["layers.{*}", "decoder.{*}"]);
    expect(aliased.selected.map((entry) => [entry.name, entry.effectiveIndex])).toEqual([
      ["layers.0", 2],
      ["layers.1", 3],
      ["decoder.0", 2],
      ["decoder.1", 3],
    ]);
    expect(codes(["vision.{*}", "head"], tree)).toEqual([["ATTRIBUTE_NONE", "SILENTLY_DEAD"], []]);
    expect(selectModules(tree, ["stages.{*}"]).selected.map((entry) => [entry.name, entry.type])).toEqual([
      ["stages.0", null],
      ["stages.1", null],
    ]);
  });

  it("takes the length of a container that lists fewer children", () => {
    const tree: ModuleTree = {
      ...small,
      containerLengths: new Map([["layers", 3]]),
      aliases: new Map([["layers.2", "layers.0"]]),
    };
    expect(selectModules(tree, ["layers.{*}"]).selected.map((entry) => [entry.name, entry.effectiveIndex])).toEqual([
      ["layers.0", 2],
      ["layers.1", 1],
      ["layers.2", 2],
    ]);
  });

  it("marks what a plain list of modules cannot tell", () => {
    expect(selectModules(small, ["stages.{*}", "head"]).model).toMatchObject({ exact: false });
    expect(selectModules(small, ["layers.{*}"]).model).toMatchObject({ exact: true, uncertain: [] });
    expect(selectModules({ ...small, noneAttributes: new Set() }, ["stages.{*}", "head"]).model.exact).toBe(true);
  });

  it.each([
    ["layers.{*}.mlp", ["IGNORED_SUFFIX"]],
    ["layers.{0,1}", ["UNSUPPORTED_BRACES", "NO_MATCH"]],
    ["layers.<*>", ["GROUP_ANGLE", "NO_MATCH"]],
    ["Layers.*", ["NO_MATCH", "CASE_DIFFERS"]],
    [" layers.*", ["STRAY_SPACE", "NO_MATCH"]],
    ["Layer", ["CLASS_NAME_USED", "NO_MATCH"]],
    ["layer.{*}", ["ATTRIBUTE_MISSING"]],
    ["{*}", ["ATTRIBUTE_MISSING"]],
    ["layers", ["CONTAINER_SELECTED"]],
    ["layers.*.mlp", ["INSIDE_LAYER"]],
    ["layers.{*} ", ["IGNORED_SUFFIX"]],
    ["layers.{*},head", ["IGNORED_SUFFIX", "COMMA_IN_PATTERN"]],
    ["layers.0,layers.1", ["COMMA_IN_PATTERN", "NO_MATCH"]],
  ])("explains %s", (pattern, expected) => {
    expect(codes([pattern])).toEqual([expected]);
  });

  it("says whether a double listing takes index 0 away", () => {
    const messageOf = (...list: string[]) => selectModules(small, list).patterns.at(-1)?.notes[0]?.message;
    expect(messageOf("layers.*", "layers.{*}")).toContain("not reset");
    expect(messageOf("head", "layers.1", "layers.{*}")).toMatch(/^One module is listed twice(?!.*not reset)/);
  });

  it("names as neighbours only what stands below", () => {
    const [result] = selectModules(small, ["*.mlp"]).patterns;
    expect(result?.notes[0]?.message).not.toContain('"head"');
  });

  it("names the failing segment and its nearest neighbours", () => {
    const [result] = selectModules(small, ["layers.0.mlpp"]).patterns;
    expect(result?.notes[0]?.message).toContain('"mlpp" matches nothing below "layers.0". Nearest: "mlp"');
    const [group] = selectModules(small, ["layer.{*}"]).patterns;
    expect(group?.notes[0]?.message).toContain('no attribute "layer"');
    expect(group?.notes[0]?.message).toContain("layers.{*}");
  });

  it.each([
    `${".".repeat(300_000)}x{*}`,
    `layers${".".repeat(300_000)}{*}`,
    `${"*.".repeat(100_000)}`,
    `${"[".repeat(100_000)}`,
    `${"{".repeat(100_000)}`,
  ])("ends on a hostile pattern", (pattern) => {
    expect(selectModules(small, [pattern, "head"]).selected.at(-1)?.name).toBe("head");
  });

  it("stays correct on 65,000 modules and 50 patterns", () => {
    const rows: [string, string][] = [
      ["", "Model"],
      ["layers", "ModuleList"],
    ];
    for (let layer = 0; layer < 1000; layer += 1) {
      rows.push([`layers.${layer}`, "Layer"]);
      for (let part = 0; part < 64; part += 1) rows.push([`layers.${layer}.p${part}`, "Linear"]);
    }
    const patterns = Array.from({ length: 50 }, (_, at) => `layers.*.p${at}`);
    const { depth, selected } = selectModules(treeOf(rows), patterns);
    expect(depth).toBe(50_000);
    expect(selected[1000]).toMatchObject({ name: "layers.0.p1", index: 1000 });
  });

  it("says that a dead pattern among live ones goes unnoticed", () => {
    const { tree } = recordedTree("qwen3");
    const codesOf = (patterns: readonly string[] | string) =>
      selectModules(tree, patterns).patterns.map(({ notes }) => notes.map(({ code }) => code));
    expect(codesOf(["model.layers.{*}", "nothing"])).toEqual([[], ["NO_MATCH", "SILENTLY_DEAD"]]);
    expect(codesOf(["lm_head", "lm_head"])).toEqual([[], ["ALREADY_SELECTED"]]);
    expect(codesOf(["nothing"])).toEqual([["NO_MATCH"]]);
    expect(codesOf("x*").flat()).not.toContain("SILENTLY_DEAD");
  });
});
