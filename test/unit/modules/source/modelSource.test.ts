import { describe, expect, it } from "vitest";
import { loadTree } from "../../../../src/core/modules/source/loadTree.js";
import { modelSourceOf } from "../../../../src/core/modules/source/modelSource.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const commit = "0123456789abcdef";
const config = encode({ model_type: "llama", num_hidden_layers: 2 });
const files = memoryFiles(
  new Map([
    ["/w/ckpt/config.json", config],
    ["/w/ckpt/model.safetensors", tensorFile(["model.layers.0.mlp.up_proj.weight"])],
    ["/w/only/config.json", config],
    ["/w/org/name/config.json", config],
    ["/w/pickled/config.json", config],
    ["/w/pickled/pytorch_model.bin", encode("x")],
    ["/w/adapter/config.json", config],
    ["/w/adapter/adapter_model.safetensors", tensorFile(["a.weight"])],
    ["/w/pickledOnly/pytorch_model.bin", encode("x")],
    ["/hub/models--org--cached/refs/main", new TextEncoder().encode(commit)],
    [`/hub/models--org--cached/snapshots/${commit}/config.json`, config],
    ["/hub/models--Qwen--Qwen3-4B/blobs/x.incomplete", config],
  ]),
);
const environment = { HF_HUB_CACHE: "/hub", BASE: "/w" };
const sourceOf = (written: string, env: Readonly<Record<string, string>> = environment) =>
  modelSourceOf(files, written, env, (path) => (path.startsWith("/") ? path : `/w/${path}`));

describe("modelSourceOf", () => {
  it.each([
    ["ckpt", { kind: "checkpoint", directory: "/w/ckpt" }],
    ["$BASE/ckpt", { kind: "checkpoint", directory: "/w/ckpt" }],
    ["${MISSING:-/w/only}", { kind: "config-json", path: "/w/only/config.json" }],
    ["ckpt/config.json", { kind: "config-json", path: "/w/ckpt/config.json" }],
    ["org/name", { kind: "config-json", path: "/w/org/name/config.json" }],
    ["org/cached", { kind: "config-json", path: `/hub/models--org--cached/snapshots/${commit}/config.json` }],
    [
      "/hub/models--org--cached",
      { kind: "config-json", path: `/hub/models--org--cached/snapshots/${commit}/config.json` },
    ],
    ["pickled", { kind: "config-json", path: "/w/pickled/config.json" }],
    ["adapter", { kind: "config-json", path: "/w/adapter/config.json" }],
    ["pickledOnly", { kind: "checkpoint", directory: "/w/pickledOnly" }],
    ["nowhere", { kind: "checkpoint", directory: "/w/nowhere" }],
  ])("%s", async (written, request) => {
    expect(await sourceOf(written)).toMatchObject({ ok: true, value: { request } });
  });

  it("falls back to the catalogue, and says so in the tree", async () => {
    const source = await sourceOf("Qwen/Qwen3-4B");
    expect(source).toMatchObject({ ok: true, value: { request: { kind: "catalogue", id: "Qwen/Qwen3-4B" } } });
    if (!source.ok) return;
    const tree = await loadTree(files, source.value.request);
    expect(tree).toMatchObject({ ok: true, value: { source: "config-json", exact: false } });
    expect(tree.ok && tree.value.uncertain[0]).toContain("catalogue");
  });

  it("refuses ids that are nowhere and variables that are not set", async () => {
    expect(await sourceOf("org/unknown")).toMatchObject({ problem: { code: "MODEL_NOT_IN_CACHE" } });
    expect(await sourceOf("org/unknown", {})).toMatchObject({ problem: { code: "MODEL_NOT_IN_CACHE" } });
    expect(await sourceOf("$NONE/x")).toMatchObject({ problem: { code: "MODEL_PATH_VARIABLE_UNKNOWN" } });
  });
});
