import { describe, expect, it } from "vitest";
import { loadTree } from "../../../../src/core/modules/source/loadTree.js";
import { modelSourceOf } from "../../../../src/core/modules/source/modelSource.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

const text = (value: string) => new TextEncoder().encode(value);
const json = (value: unknown) => text(JSON.stringify(value));
const config = json({ model_type: "llama", architectures: ["LlamaForCausalLM"], num_hidden_layers: 2 });
const pointer = text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4976698672\n");
const tensors = tensorFile(["model.layers.0.mlp.up_proj.weight"]);
const index = json({
  weight_map: {
    "model.layers.0.mlp.up_proj.weight": "model-00001-of-00002.safetensors",
    "lm_head.weight": "model-00002-of-00002.safetensors",
  },
});

/** May be the value of a variable: notes are copied into reports. */
const directory = "/kept/from/notes";

async function treeOf(files: Record<string, Uint8Array>) {
  const entries = Object.entries(files).map(([name, bytes]) => [`${directory}/${name}`, bytes] as const);
  return loadTree(memoryFiles(new Map(entries)), { kind: "checkpoint", directory });
}

describe("treeWithoutWeights", () => {
  it.each<[string, Record<string, Uint8Array>, RegExp]>([
    ["one file that is a pointer", { "config.json": config, "model.safetensors": pointer }, /Git LFS pointers/],
    [
      "shards that are pointers",
      {
        "config.json": config,
        "model-00001-of-00002.safetensors": pointer,
        "model-00002-of-00002.safetensors": pointer,
      },
      /Git LFS pointers/,
    ],
    [
      "an index that is a pointer",
      { "config.json": config, "model.safetensors.index.json": pointer },
      /Git LFS pointers/,
    ],
    [
      "a shard that is missing",
      { "config.json": config, "model.safetensors.index.json": index, "model-00001-of-00002.safetensors": tensors },
      /lacks the shard model-00002-of-00002.safetensors/,
    ],
    [
      "a numbered shard that is missing",
      { "config.json": config, "model-00001-of-00002.safetensors": tensors },
      /lacks the shard/,
    ],
  ])("%s: config.json alone, with a warning", async (_, files, why) => {
    const tree = await treeOf(files);
    expect(tree.ok && tree.value.warnings?.[0]).toMatch(why);
    expect(tree.ok && tree.value.warnings?.[0]).toContain("config.json alone");
    const notes = tree.ok ? [...tree.value.uncertain, ...(tree.value.warnings ?? [])] : [];
    expect(notes.join("\n")).not.toContain("kept");
    expect(tree.ok && tree.value.modules.some(({ name }) => name === "model.layers.1.mlp.up_proj")).toBe(true);
  });

  it.each<[string, Record<string, Uint8Array>, string]>([
    ["pointers without config.json", { "model.safetensors": pointer }, "SAFETENSORS_HEADER_INVALID"],
    [
      "a damaged file that is no pointer",
      { "config.json": config, "model.safetensors": text("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") },
      "SAFETENSORS_HEADER_INVALID",
    ],
    [
      "a shard missing beside a broken config.json",
      { "config.json": pointer, "model-00001-of-00002.safetensors": tensors },
      "CHECKPOINT_SHARD_MISSING",
    ],
  ])("%s stay a failure", async (_, files, code) => {
    expect(await treeOf(files)).toMatchObject({ ok: false, problem: { code } });
  });
});

it("finds the configuration that verl saves beside its shards", async () => {
  const files = memoryFiles(
    new Map([
      ["/run/global_step_10/actor/model_world_size_8_rank_0.pt", text("x")],
      ["/run/global_step_10/actor/huggingface/config.json", config],
      ["/run/empty/huggingface/tokenizer.json", config],
    ]),
  );
  const source = (path: string) => modelSourceOf(files, path, {}, (each) => each);
  expect(await source("/run/global_step_10/actor")).toMatchObject({
    ok: true,
    value: { request: { kind: "config-json", path: "/run/global_step_10/actor/huggingface/config.json" } },
  });
  expect(await source("/run/empty")).toMatchObject({
    value: { request: { kind: "checkpoint", directory: "/run/empty" } },
  });
});
