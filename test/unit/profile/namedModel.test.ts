import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readNamedModel, requestedConfig } from "../../../src/core/profile/namedModel.js";
import { nodeFiles } from "../../../src/node/nodeFiles.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-named-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function read(path: string, kind: "directory" | "configJson" = "directory") {
  return readNamedModel(nodeFiles, { kind, path }, { HF_HUB_CACHE: join(folder, "cache") }, (name) =>
    resolve(folder, name),
  );
}

describe("readNamedModel", () => {
  it("takes the dimensions of a known id from the catalogue, and says so", async () => {
    const model = await read("Qwen/Qwen3-8B");
    if (!model.ok) throw new Error(model.problem.message);
    expect(JSON.parse(model.value.configJson)).toMatchObject({ hidden_size: 4096, vocab_size: 151_936 });
    expect(model.value.notes).toEqual([expect.stringContaining("built-in catalogue")]);
  });

  it("prefers the cache to the catalogue, and a directory to both", async () => {
    const commit = "0123456789012345678901234567890123456789";
    write("cache/models--Qwen--Qwen3-8B/refs/main", commit);
    write(`cache/models--Qwen--Qwen3-8B/snapshots/${commit}/config.json`, '{"from": "cache"}');
    expect(await read("Qwen/Qwen3-8B")).toEqual({ ok: true, value: { configJson: '{"from": "cache"}', notes: [] } });
    write("Qwen/Qwen3-8B/config.json", '{"from": "directory"}');
    expect(await read("Qwen/Qwen3-8B")).toMatchObject({ value: { configJson: '{"from": "directory"}' } });
  });

  it("names what is needed where an id or a path leads nowhere", async () => {
    for (const path of ["nobody/nothing", "./nowhere"]) {
      const model = await read(path);
      expect(model.ok ? "" : `${model.problem.code} ${model.problem.nextStep}`).toMatch(
        /^MODEL_DIRECTORY_MISSING .*config\.json/,
      );
    }
    const file = await read("Qwen/Qwen3-8B", "configJson");
    expect(file.ok ? "" : file.problem.code).toBe("MODEL_CONFIG_MISSING");
  });
});

it("a tree file has no sizes to run with", async () => {
  const config = await requestedConfig(nodeFiles, { kind: "tree-file", path: "tree.json" });
  expect(config.ok ? "" : config.problem.code).toBe("MODEL_CONFIG_MISSING");
});
