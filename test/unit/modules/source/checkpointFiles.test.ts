import { describe, expect, it } from "vitest";
import { readTensorNames } from "../../../../src/core/modules/source/checkpointFiles.js";
import { memoryFiles, safetensorsFile, tensorFile } from "../memoryFiles.js";

const encode = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const index = "model.safetensors.index.json";
const shard = (number: number) => `model-0000${number}-of-00002.safetensors`;

async function namesOf(contents: Readonly<Record<string, Uint8Array>>) {
  const files = memoryFiles(new Map(Object.entries(contents).map(([name, bytes]) => [`m/${name}`, bytes])));
  const names = await readTensorNames(files, "m", Object.keys(contents));
  return names.ok ? [...names.value].sort() : names.problem.code;
}

describe("readTensorNames", () => {
  it("prefers the single file, as the library does", async () => {
    const contents = { "model.safetensors": tensorFile(["a.w"]), [index]: encode("{") };
    expect(await namesOf(contents)).toEqual(["a.w"]);
  });

  it("reads the shards that the index names", async () => {
    const contents = {
      [shard(1)]: tensorFile(["a.w"]),
      [shard(2)]: tensorFile(["b.w"]),
      [index]: encode({ weight_map: { "a.w": shard(1), "b.w": shard(2) } }),
    };
    expect(await namesOf(contents)).toEqual(["a.w", "b.w"]);
  });

  it("reads numbered shards and a lone file without an index", async () => {
    expect(await namesOf({ [shard(1)]: tensorFile(["a.w"]), [shard(2)]: tensorFile(["b.w"]) })).toEqual(["a.w", "b.w"]);
    expect(await namesOf({ "weights.safetensors": tensorFile(["a.w"]) })).toEqual(["a.w"]);
  });

  const oneShard = { [shard(1)]: tensorFile(["a.w"]) };
  const withMap = (map: unknown) => ({ ...oneShard, [index]: encode({ weight_map: map }) });

  it.each<[string, Readonly<Record<string, Uint8Array>>, string]>([
    ["an index that names an absent shard", withMap({ "a.w": shard(1), "b.w": shard(2) }), "CHECKPOINT_SHARD_MISSING"],
    ["numbered shards with one absent", oneShard, "CHECKPOINT_SHARD_MISSING"],
    ["an index that leads out of the directory", withMap({ "a.w": "../x.safetensors" }), "CHECKPOINT_INDEX_INVALID"],
    ["an index with an absolute path", withMap({ "a.w": "/etc/x.safetensors" }), "CHECKPOINT_INDEX_INVALID"],
    ["an index with a Windows path", withMap({ "a.w": "..\\x.safetensors" }), "CHECKPOINT_INDEX_INVALID"],
    ["an index with a number as shard", withMap({ "a.w": 1 }), "CHECKPOINT_INDEX_INVALID"],
    ["an index with a list as map", withMap(["a.w"]), "CHECKPOINT_INDEX_INVALID"],
    ["an empty index", withMap({}), "CHECKPOINT_INDEX_INVALID"],
    ["an index that lies about a tensor", withMap({ "other.w": shard(1) }), "CHECKPOINT_INDEX_INVALID"],
    ["an index that is not JSON", { ...oneShard, [index]: encode("{") }, "CHECKPOINT_INDEX_INVALID"],
    ["an index that is not UTF-8", { ...oneShard, [index]: new Uint8Array([0xff]) }, "CHECKPOINT_INDEX_INVALID"],
    [
      "a tensor in two shards",
      { [shard(1)]: tensorFile(["a.w"]), [shard(2)]: tensorFile(["a.w"]) },
      "CHECKPOINT_TENSOR_DUPLICATE",
    ],
    ["a file without tensors", { "model.safetensors": safetensorsFile({}) }, "CHECKPOINT_EMPTY"],
    ["an empty segment in a name", { "model.safetensors": tensorFile(["a..w"]) }, "CHECKPOINT_TENSOR_NAME_INVALID"],
    ["endless segments", { "model.safetensors": tensorFile([".a".repeat(300)]) }, "CHECKPOINT_TENSOR_NAME_INVALID"],
    [
      "names without end that are all unlike",
      { "model.safetensors": tensorFile(Array.from({ length: 70_000 }, (_, at) => `t${at}`)) },
      "CHECKPOINT_TENSOR_NAME_INVALID",
    ],
    ["a damaged file", { "model.safetensors": encode("short") }, "SAFETENSORS_HEADER_INVALID"],
    ["a directory without weights", { "config.json": encode({}) }, "SAFETENSORS_MISSING"],
    ["pickled weights", { "pytorch_model.bin": encode("x") }, "SAFETENSORS_MISSING"],
    ["an adapter", { "adapter_model.safetensors": tensorFile(["a.w"]) }, "SAFETENSORS_MISSING"],
    [
      "unrelated files",
      { "a.safetensors": tensorFile(["a"]), "b.safetensors": tensorFile(["b"]) },
      "SAFETENSORS_MISSING",
    ],
  ])("refuses %s", async (_, contents, code) => {
    expect(await namesOf(contents)).toBe(code);
  });

  it("refuses a tensor that one file lists twice", async () => {
    const twice =
      '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}';
    expect(await namesOf({ "model.safetensors": safetensorsFile(twice, 8) })).toBe("SAFETENSORS_HEADER_INVALID");
  });

  it("leaves out tensors that the index does not name", async () => {
    const contents = {
      [shard(1)]: tensorFile(["a.0.w", "extra.w"]),
      [shard(2)]: tensorFile(["b.w"]),
      [index]: encode({ weight_map: { "b.w": shard(2), "a.0.w": shard(1) } }),
    };
    expect(await namesOf(contents)).toEqual(["a.0.w", "b.w"]);
    const clash = { ...contents, [shard(2)]: tensorFile(["b.w", "extra.w"]) };
    expect(await namesOf(clash)).toBe("CHECKPOINT_TENSOR_DUPLICATE");
  });

  it("says which tensor the index places where it is not", async () => {
    const entries = new Map([
      [`m/${shard(1)}`, tensorFile(["a.0.w"])],
      [`m/${index}`, encode({ weight_map: { "a.0.w": shard(1), "a.17.w": shard(1) } })],
    ]);
    const names = await readTensorNames(memoryFiles(entries), "m", [shard(1), index]);
    expect(names.ok ? "" : names.problem.cause).toBe(
      `It says that "a.17.w" is in ${shard(1)}, which has no such tensor.`,
    );
  });

  it("says that a listed shard leads nowhere, as in a cache that was filled in part", async () => {
    const names = await readTensorNames(memoryFiles(new Map()), "m", ["model.safetensors"]);
    expect(names).toMatchObject({ ok: false, problem: { code: "CHECKPOINT_SHARD_MISSING" } });
    expect(names.ok ? "" : names.problem.cause).toContain("download was not finished");
  });

  it("says that pickled weights are there", async () => {
    const names = await readTensorNames(memoryFiles(new Map()), "m", ["pytorch_model.bin"]);
    expect(names.ok ? "" : names.problem.cause).toContain("pickled");
  });

  it("keeps a tensor called __proto__ a plain name", async () => {
    const file = safetensorsFile('{"__proto__":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4);
    expect(await namesOf({ "model.safetensors": file })).toEqual(["__proto__"]);
  });
});
