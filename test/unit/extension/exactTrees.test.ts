import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModuleTree } from "../../../src/core/modules/tree.js";
import { configFileOf, ExactTrees, sha256OfFile } from "../../../src/extension/exactTrees.js";

const tree: ModuleTree = {
  source: "python-dump",
  exact: true,
  uncertain: [],
  modules: [{ name: "" }],
  containers: new Set(),
  moduleDicts: new Set(),
};
let directory = "";
let config = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "exact-"));
  config = join(directory, "config.json");
  writeFileSync(config, "{}");
});
afterEach(() => rmSync(directory, { recursive: true }));

async function keepTree(trees: ExactTrees): Promise<void> {
  trees.keep(config, (await sha256OfFile(config)) ?? "", tree);
}

describe("ExactTrees", () => {
  it("gives one tree for the checkpoint and for its config.json", async () => {
    const trees = new ExactTrees();
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
    await keepTree(trees);
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBe(tree);
    expect(await trees.treeOf({ kind: "config-json", path: config })).toBe(tree);
    expect(await trees.treeOf({ kind: "config-json", path: directory })).toBe(tree);
  });

  it("keeps it while the text is the same, and drops it for another text or without the file", async () => {
    const trees = new ExactTrees();
    await keepTree(trees);
    utimesSync(config, 1, 1);
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBe(tree);
    writeFileSync(config, "[]");
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
    writeFileSync(config, "{}");
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
    await keepTree(trees);
    rmSync(config);
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
  });

  it("keeps the newest four", async () => {
    const trees = new ExactTrees();
    await keepTree(trees);
    for (const name of ["a", "b", "c", "d"]) trees.keep(name, "", tree);
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
  });
});

describe("configFileOf", () => {
  it("is undefined where no config.json can be", async () => {
    rmSync(config);
    expect(await configFileOf({ kind: "checkpoint", directory })).toBeUndefined();
    expect(await configFileOf({ kind: "tree-file", path: config })).toBeUndefined();
    expect(await configFileOf({ kind: "catalogue", id: "a/b", config: {} })).toBeUndefined();
  });
});
