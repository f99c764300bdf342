import { describe, expect, it } from "vitest";
import {
  findInHubCache,
  hubCacheOf,
  readCacheFolder,
  readModelId,
} from "../../../../src/core/modules/source/hubCache.js";
import { memoryFiles } from "../memoryFiles.js";

const join = (a: string, b: string) => `${a}/${b}`;
const encode = (text: string) => new TextEncoder().encode(text);
const commit = "0123456789abcdef0123456789abcdef01234567";
const folder = "/hub/models--Qwen--Qwen3-8B";
const id = { id: "Qwen/Qwen3-8B", revision: "main" };

const find = (entries: Readonly<Record<string, string>>, model = id) =>
  findInHubCache(
    memoryFiles(new Map(Object.entries(entries).map(([path, text]) => [path, encode(text)]))),
    "/hub",
    model,
  );

describe("readCacheFolder", () => {
  it.each([
    [folder, { cache: "/hub", model: id }],
    [`${folder}/`, { cache: "/hub", model: id }],
    ["C:\\hub\\models--Qwen--Qwen3-8B", { cache: "C:\\hub", model: id }],
    [`${folder}/snapshots/${commit}`, undefined],
    ["/hub/models--gpt2", undefined],
    ["/w/models--x--../y", undefined],
  ])("%s", (path, expected) => {
    expect(readCacheFolder(path)).toEqual(expected);
  });
});

describe("readModelId", () => {
  it.each([
    ["Qwen/Qwen3-8B", { id: "Qwen/Qwen3-8B", revision: "main" }],
    ["Qwen/Qwen3-8B@v1.0", { id: "Qwen/Qwen3-8B", revision: "v1.0" }],
    ["Qwen/Qwen3-8B@refs/pr/3", { id: "Qwen/Qwen3-8B", revision: "refs/pr/3" }],
    ["a/b/c", undefined],
    ["/a/b", undefined],
    ["./a", undefined],
    ["../b", undefined],
    ["a/..", undefined],
    ["a/b@../../x", undefined],
    ["qwen", undefined],
    ["", undefined],
  ])("%s", (text, expected) => {
    expect(readModelId(text)).toEqual(expected);
  });
});

describe("hubCacheOf", () => {
  it.each([
    [
      { HF_HUB_CACHE: "/c", HF_HOME: "/h" },
      { directory: "/c", written: "$HF_HUB_CACHE" },
    ],
    [
      { HUGGINGFACE_HUB_CACHE: "/o", HF_HOME: "/h" },
      { directory: "/o", written: "$HUGGINGFACE_HUB_CACHE" },
    ],
    [
      { HF_HOME: "~/h", HOME: "/u" },
      { directory: "/u/h/hub", written: "$HF_HOME/hub" },
    ],
    [
      { XDG_CACHE_HOME: "/x", HOME: "/u" },
      { directory: "/x/huggingface/hub", written: "$XDG_CACHE_HOME/huggingface/hub" },
    ],
    [
      { HF_HOME: "", HOME: "/u" },
      { directory: "/u/.cache/huggingface/hub", written: "~/.cache/huggingface/hub" },
    ],
    [{}, undefined],
  ])("with %j is %j", (environment, cache) => {
    expect(hubCacheOf(environment, join)).toEqual(cache);
  });
});

describe("findInHubCache", () => {
  const config = `${folder}/snapshots/${commit}/config.json`;

  it("follows the reference, a revision's own name, and the only snapshot", async () => {
    const found = { ok: true, value: { directory: `${folder}/snapshots/${commit}`, commit } };
    expect(await find({ [`${folder}/refs/main`]: `${commit}\n`, [config]: "{}" })).toEqual(found);
    expect(await find({ [config]: "{}" }, { ...id, revision: commit })).toEqual(found);
    expect(await find({ [config]: "{}" })).toEqual(found);
    expect(await find({ [`${folder}/refs/pr/3`]: commit, [config]: "{}" }, { ...id, revision: "pr/3" })).toEqual(found);
  });

  it("tells a model that is not there from one that is half there", async () => {
    const codeOf = async (entries: Readonly<Record<string, string>>, model = id) => {
      const found = await find(entries, model);
      return found.ok ? "found" : found.problem.code;
    };
    expect(await codeOf({ "/hub/other": "" })).toBe("MODEL_NOT_IN_CACHE");
    expect(await codeOf({ [`${folder}/blobs/x.incomplete`]: "" })).toBe("MODEL_CACHE_INCOMPLETE");
    expect(await codeOf({ [`${folder}/refs/main`]: commit })).toBe("MODEL_CACHE_INCOMPLETE");
    expect(await codeOf({ [`${folder}/refs/main`]: "../../../../etc", [config]: "{}" })).toBe("MODEL_CACHE_INCOMPLETE");
    expect(await codeOf({ [`${folder}/snapshots/${commit}/README.md`]: "" })).toBe("MODEL_CACHE_INCOMPLETE");
    expect(await codeOf({ [config]: "{}" }, { ...id, revision: "v9" })).toBe("MODEL_CACHE_INCOMPLETE");
  });
});
