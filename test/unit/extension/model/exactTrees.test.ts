import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { ExactTreeStore } from "../../../../src/extension/model/exactTreeStore.js";
import { configFileOf, ExactTrees, sha256OfFile } from "../../../../src/extension/model/exactTrees.js";

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
  await trees.keep(config, (await sha256OfFile(config)) ?? "", tree);
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
    for (const name of ["a", "b", "c", "d"]) await trees.keep(name, "", tree);
    expect(await trees.treeOf({ kind: "checkpoint", directory })).toBeUndefined();
  });
});

describe("ExactTrees with a store", () => {
  const request = () => ({ kind: "checkpoint", directory }) as const;
  const session = () => new ExactTrees(new ExactTreeStore(join(directory, "dumps")));
  async function keepDump(trees: ExactTrees): Promise<void> {
    const dump = join(directory, "dumps", `${"a".repeat(64)}.json`);
    mkdirSync(join(directory, "dumps"), { recursive: true });
    writeFileSync(dump, JSON.stringify({ named_modules: [["", "Kept"]] }));
    await trees.keep(config, (await sha256OfFile(config)) ?? "", tree, dump);
  }

  it("knows the tree again in the next session", async () => {
    await keepDump(session());
    const next = session();
    expect(await next.treeOf(request())).toMatchObject({
      source: "python-dump",
      modules: [{ name: "", type: "Kept" }],
    });
    expect(await next.treeOf(request())).toBe(await next.treeOf(request()));
  });

  it("forgets it for good once config.json is another", async () => {
    await keepDump(session());
    writeFileSync(config, "[]");
    expect(await session().treeOf(request())).toBeUndefined();
    writeFileSync(config, "{}");
    expect(await session().treeOf(request())).toBeUndefined();
  });

  it("asks the store once", async () => {
    const trees = session();
    expect(await trees.treeOf(request())).toBeUndefined();
    await keepDump(session());
    expect(await trees.treeOf(request())).toBeUndefined();
  });

  it("has no tree where the dump is gone", async () => {
    await keepDump(session());
    rmSync(join(directory, "dumps", `${"a".repeat(64)}.json`));
    expect(await session().treeOf(request())).toBeUndefined();
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
