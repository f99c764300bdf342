import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { succeed } from "../../../../src/core/base/outcome.js";
import { loadTree } from "../../../../src/core/modules/source/loadTree.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

const json = new TextEncoder().encode('{"named_modules":[["","M"]],"containers":[]}');
const files = memoryFiles(
  new Map([
    ["t.json", json],
    ["t.json.gz", gzipSync(json)],
    ["m/model.safetensors", tensorFile(["layers.0.w"])],
  ]),
);

async function sourceOf(request: Parameters<typeof loadTree>[1]): Promise<string> {
  const tree = await loadTree(files, request);
  return tree.ok ? tree.value.source : tree.problem.code;
}

describe("loadTree", () => {
  it("reads a tree file, packed or not, and a checkpoint", async () => {
    expect(await sourceOf({ kind: "tree-file", path: "t.json" })).toBe("tree-file");
    const gunzip = (bytes: Uint8Array) => succeed(new Uint8Array(gunzipSync(bytes)));
    expect(await sourceOf({ kind: "tree-file", path: "t.json.gz", gunzip })).toBe("tree-file");
    expect(await sourceOf({ kind: "checkpoint", directory: "m" })).toBe("checkpoint");
  });

  it("fails with coded problems", async () => {
    expect(await sourceOf({ kind: "tree-file", path: "nowhere" })).toBe("FILE_MISSING");
    expect(await sourceOf({ kind: "tree-file", path: "t.json.gz" })).toBe("TREE_FILE_NOT_JSON");
    const huge = { ...files, info: async () => succeed({ kind: "file" as const, sizeBytes: 2 ** 40 }) };
    const tree = await loadTree(huge, { kind: "tree-file", path: "t.json" });
    expect(tree.ok ? "none" : tree.problem.code).toBe("TREE_FILE_TOO_LARGE");
  });
});
