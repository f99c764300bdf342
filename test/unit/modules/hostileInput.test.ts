import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileSource } from "../../../src/core/base/files.js";
import { fail, type Outcome } from "../../../src/core/base/outcome.js";
import { loadCheckpointTree } from "../../../src/core/modules/source/checkpoint.js";
import { loadConfigTree } from "../../../src/core/modules/source/configTree.js";
import { findInHubCache } from "../../../src/core/modules/source/hubCache.js";
import { readTreeFile } from "../../../src/core/modules/source/treeFile.js";
import { nodeFiles } from "../../../src/node/nodeFiles.js";
import { memoryFiles, safetensorsFile, tensorFile } from "./memoryFiles.js";

const encode = (text: string) => new TextEncoder().encode(text);
const codeOf = (result: Outcome<unknown>) => (result.ok ? "fine" : result.problem.code);
const mebibyte = 2 ** 20;
const nested = (open: string, close: string) => open.repeat(5 * mebibyte) + close.repeat(5 * mebibyte);
const index = "model.safetensors.index.json";

const load = async (contents: Readonly<Record<string, Uint8Array>>) =>
  codeOf(
    await loadCheckpointTree(
      memoryFiles(new Map(Object.entries(contents).map(([name, data]) => [`m/${name}`, data]))),
      "m",
    ),
  );

describe("10 MB of nesting", () => {
  it.each([
    ["lists", nested("[", "]")],
    ["objects", `${'{"a":'.repeat(2 * mebibyte)}1${"}".repeat(2 * mebibyte)}`],
  ])("of %s is refused everywhere, with a code", async (_, text) => {
    const bytes = encode(text);
    expect(codeOf(readTreeFile(bytes))).toMatch(/^TREE_FILE_(NOT_JSON|INVALID)$/);
    expect(codeOf(await loadConfigTree(memoryFiles(new Map([["c.json", bytes]])), "c.json"))).toMatch(/^MODEL_/);
    expect(await load({ [index]: bytes, "a.safetensors": tensorFile(["a.w"]) })).toBe("CHECKPOINT_INDEX_INVALID");
    expect(await load({ "model.safetensors": safetensorsFile(text) })).toBe("SAFETENSORS_HEADER_INVALID");
    // A config.json beside good weights is a fault that the tree reports, not a failure.
    expect(await load({ "config.json": bytes, "model.safetensors": tensorFile(["a.w"]) })).toBe("fine");
  });
});

describe("an index with 1,000,000 entries", () => {
  const rows = Array.from({ length: 1_000_000 }, (_, at) => `"layers.${at}.w":"model-00001-of-00002.safetensors"`);
  const bytes = encode(`{"weight_map":{${rows.join(",")}}}`);

  it("is read, and the shard that is missing is named", async () => {
    expect(await load({ [index]: bytes })).toBe("CHECKPOINT_SHARD_MISSING");
  });

  it("is not read at all when it claims to be larger than any index", async () => {
    let asked = 0;
    const files = memoryFiles(new Map([[`m/${index}`, encode("{}")]]));
    const lying: FileSource = {
      ...files,
      info: async (path) =>
        path.endsWith(index) ? { ok: true, value: { kind: "file", sizeBytes: 2 ** 40 } } : files.info(path),
      readBytes: (path, offset, length) => {
        asked += length;
        return files.readBytes(path, offset, length);
      },
    };
    expect(codeOf(await loadCheckpointTree(lying, "m"))).toBe("CHECKPOINT_INDEX_INVALID");
    expect(asked).toBe(0);
  });
});

describe("files that cannot be read", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "loop-"));
    symlinkSync("b", join(directory, "a"));
    symlinkSync("a", join(directory, "b"));
    mkdirSync(join(directory, "weights"));
    symlinkSync("model.safetensors", join(directory, "weights", "model.safetensors"));
    mkdirSync(join(directory, "config"));
    symlinkSync("config.json", join(directory, "config", "config.json"));
    writeFileSync(join(directory, "config", "model.safetensors"), tensorFile(["a.w"]));
    const cached = join(directory, "hub", "models--o--n");
    mkdirSync(join(cached, "snapshots", "0123456789"), { recursive: true });
    symlinkSync("../../blobs/absent", join(cached, "snapshots", "0123456789", "config.json"));
    const looped = join(directory, "hub", "models--o--l", "refs");
    mkdirSync(looped, { recursive: true });
    symlinkSync("main", join(looped, "main"));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it("because of loops of links", async () => {
    expect(codeOf(await loadCheckpointTree(nodeFiles, join(directory, "a")))).toBe("MODEL_DIRECTORY_UNREADABLE");
    expect(codeOf(await loadCheckpointTree(nodeFiles, join(directory, "weights")))).toBe("FILE_UNREADABLE");
    const withFault = await loadCheckpointTree(nodeFiles, join(directory, "config"));
    expect(withFault.ok && withFault.value.uncertain[0]).toContain("config.json cannot be read");
    expect(codeOf(await loadConfigTree(nodeFiles, join(directory, "config")))).toBe("FILE_UNREADABLE");
  });

  it("because the download was not finished", async () => {
    const find = (id: string) => findInHubCache(nodeFiles, join(directory, "hub"), { id, revision: "main" });
    const half = await find("o/n");
    expect(codeOf(half)).toBe("MODEL_CACHE_INCOMPLETE");
    expect(half.ok ? "" : half.problem.cause).toContain("leads nowhere");
    expect(codeOf(await find("o/l"))).toBe("MODEL_CACHE_INCOMPLETE");
  });

  it("because of their permissions", async () => {
    const problem = { code: "FILE_FORBIDDEN", message: "m may not be read.", nextStep: "Check its permissions." };
    const forbidden = async () => fail(problem);
    const files: FileSource = { info: forbidden, readBytes: forbidden, list: forbidden, join: (a, b) => `${a}/${b}` };
    expect(codeOf(await loadCheckpointTree(files, "m"))).toBe("MODEL_DIRECTORY_UNREADABLE");
    expect(codeOf(await loadConfigTree(files, "m"))).toBe("FILE_FORBIDDEN");
    expect(codeOf(await findInHubCache(files, "hub", { id: "a/b", revision: "main" }))).toBe("FILE_FORBIDDEN");
  });
});

describe("names", () => {
  it("that are no UTF-8 are refused", async () => {
    const bytes = safetensorsFile('{"a?":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4);
    bytes[bytes.indexOf("?".charCodeAt(0), 8)] = 0xff;
    expect(await load({ "model.safetensors": bytes })).toBe("SAFETENSORS_HEADER_INVALID");
  });

  it("that would be markup or escape sequences stay plain names", async () => {
    expect(await load({ "model.safetensors": tensorFile(["<img src=x>.w", "\u001b[31m.w", "__proto__.w"]) })).toBe(
      "fine",
    );
  });
});
