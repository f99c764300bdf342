import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { loadCheckpointTree } from "../../../../src/core/modules/source/checkpoint.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";
import { type CheckpointTruth, recordedCheckpoint, recordedCheckpointNames } from "../recordedCheckpoints.js";
import { recordedTree, recordedTreeNames } from "../recordedTrees.js";

const encode = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

async function treeOf(tensors: readonly string[], config?: unknown): Promise<ModuleTree> {
  const files = new Map([["m/model.safetensors", tensorFile(tensors)]]);
  if (config !== undefined) files.set("m/config.json", encode(config));
  const tree = await loadCheckpointTree(memoryFiles(files), "m");
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

const rowsOf = (tree: ModuleTree) => tree.modules.map(({ name, type }) => [name, type]);
const selectedNames = (tree: ModuleTree, pattern: string) =>
  selectModules(tree, [pattern]).selected.map(({ name }) => name);

function truthTree(truth: CheckpointTruth): ModuleTree {
  const modules = truth.named_modules.map(([name, type]) => ({ name, type }));
  const containers = new Set(truth.containers);
  return { source: "python-dump", exact: true, uncertain: [], modules, containers, moduleDicts: new Set() };
}

describe("loadCheckpointTree equals what the library builds", () => {
  it.each(recordedCheckpointNames)("from the checkpoint %s", async (name) => {
    const { files, truth } = recordedCheckpoint(name);
    const tree = await loadCheckpointTree(memoryFiles(files), name);
    if (!tree.ok) throw new Error(tree.problem.message);
    expect(rowsOf(tree.value)).toEqual(truth.named_modules);
    expect([...tree.value.containers]).toEqual(truth.containers);
    expect(tree.value.noSplitModules).toEqual(truth.no_split);
    for (const container of truth.containers) {
      for (const pattern of [`${container}.{*}`, `${container}.*`]) {
        expect(selectedNames(tree.value, pattern)).toEqual(selectedNames(truthTree(truth), pattern));
      }
    }
  });

  it.each(recordedTreeNames)("from the parameter names of %s", async (name) => {
    const raw = JSON.parse(
      gunzipSync(readFileSync(new URL(`../../../fixtures/modules/${name}.json.gz`, import.meta.url))).toString("utf8"),
    );
    const parameters: string[] = raw.parameters.map(([parameter]: [string]) => parameter).sort();
    const tree = await treeOf(parameters, { ...raw.config, architectures: [raw.architecture] });
    expect(rowsOf(tree)).toEqual(rowsOf(recordedTree(name).tree));
  });
});

const llamaLayer = (prefix: string) =>
  ["input_layernorm", "mlp.down_proj", "mlp.gate_proj", "mlp.up_proj", "self_attn.o_proj", "self_attn.q_proj"].map(
    (name) => `${prefix}.${name}.weight`,
  );
const llama = (prefix: string) => [
  `${prefix}embed_tokens.weight`,
  ...llamaLayer(`${prefix}layers.0`),
  ...llamaLayer(`${prefix}layers.1`),
  `${prefix}norm.weight`,
];

describe("loadCheckpointTree", () => {
  it("adds the prefix that a body saved alone lacks", async () => {
    const config = { model_type: "llama", num_hidden_layers: 2 };
    const withHead = await treeOf(llama(""), { ...config, architectures: ["LlamaForCausalLM"] });
    const unnamed = await treeOf(llama(""), config);
    const expected = await treeOf([...llama("model."), "lm_head.weight"], {
      ...config,
      architectures: ["LlamaForCausalLM"],
    });
    expect(rowsOf(withHead)).toEqual(rowsOf(expected));
    expect(rowsOf(unnamed)).toEqual(rowsOf(expected));
    const gpt2 = await treeOf(["h.0.ln_1.weight", "h.0.attn.bias", "wte.weight"], {
      model_type: "gpt2",
      architectures: ["GPT2LMHeadModel"],
    });
    expect(selectedNames(gpt2, "transformer.h.{*}")).toEqual(["transformer.h.0"]);
  });

  it("drops the prefix for a bare body class", async () => {
    const config = { model_type: "qwen3", architectures: ["Qwen3Model"], num_hidden_layers: 2 };
    const bare = await treeOf([...llama("model."), "lm_head.weight"], config);
    expect(selectedNames(bare, "layers.{*}")).toEqual(["layers.0", "layers.1"]);
    expect(bare.modules.some(({ name }) => name === "lm_head")).toBe(false);
    expect(rowsOf(bare)).toEqual(rowsOf(await treeOf(llama(""), config)));
  });

  it("builds as many layers as config.json declares", async () => {
    const config = { model_type: "llama", architectures: ["LlamaForCausalLM"] };
    const fewer = await treeOf(llama("model."), { ...config, num_hidden_layers: 1 });
    expect(selectedNames(fewer, "model.layers.{*}")).toEqual(["model.layers.0"]);
    expect(fewer.uncertain.join()).toContain("model.layers.1");
    const more = await treeOf(llama("model."), { ...config, num_hidden_layers: 3 });
    expect(selectedNames(more, "model.layers.*")).toEqual(["model.layers.0", "model.layers.1", "model.layers.2"]);
    expect(more.uncertain.join()).toContain("model.layers.2");
  });

  it("leaves out what the class does not load", async () => {
    const tensors = [
      ...llama("model."),
      "model.layers.0.self_attn.rotary_emb.inv_freq",
      "model.layers.0.self_attn.q_proj.weight.absmax",
      "model.layers.0.self_attn.q_proj.weight.quant_state.bitsandbytes__nf4",
    ];
    const tree = await treeOf(tensors, { model_type: "llama", num_hidden_layers: 2 });
    expect(rowsOf(tree)).toEqual(rowsOf(await treeOf(llama("model."), { model_type: "llama", num_hidden_layers: 2 })));
    const next = await treeOf(["mtp.fc.weight", "model.layers.0.linear_attn.A_log"], { model_type: "qwen3_next" });
    expect(next.modules.some(({ name }) => name.startsWith("mtp"))).toBe(false);
  });

  it("keeps 12 layers in numeric order", async () => {
    const layers = Array.from({ length: 12 }, (_, at) => llamaLayer(`model.layers.${at}`)).flat();
    const tree = await treeOf(layers.sort(), { model_type: "llama", num_hidden_layers: 12 });
    expect(selectedNames(tree, "model.layers.*")).toEqual(Array.from({ length: 12 }, (_, at) => `model.layers.${at}`));
  });

  it("finds the layers of families that it does not know", async () => {
    const remote = await treeOf(
      ["model.layers.0.attention.wqkv.weight", "model.layers.1.attention.wqkv.weight", "output.weight"],
      { model_type: "internlm2", architectures: ["InternLM2ForCausalLM"], num_hidden_layers: 2 },
    );
    expect(selectedNames(remote, "model.layers.{*}")).toEqual(["model.layers.0", "model.layers.1"]);
    expect(remote.uncertain.join()).toContain("internlm2");
    const other = await treeOf(["backbone.blocks.0.fc.weight", "backbone.blocks.1.fc.weight"], { model_type: "new" });
    expect(selectedNames(other, "backbone.blocks.{*}")).toEqual(["backbone.blocks.0", "backbone.blocks.1"]);
    const vision = await treeOf(["vision_tower.a.weight", "language_model.model.layers.0.mlp.up_proj.weight"], {
      model_type: "new_vl",
      vision_config: { model_type: "new_vit" },
      architectures: ["NewForConditionalGeneration"],
    });
    expect(selectedNames(vision, "model.language_model.layers.{*}")).toEqual(["model.language_model.layers.0"]);
  });

  it("leaves the names of unlike models alone", async () => {
    const bert = await treeOf(["bert.encoder.layer.0.attention.self.query.weight", "cls.predictions.bias"], {
      model_type: "bert",
      architectures: ["BertForMaskedLM"],
    });
    expect(selectedNames(bert, "bert.encoder.layer.{*}")).toEqual(["bert.encoder.layer.0"]);
    expect(bert.modules.some(({ name }) => name === "lm_head" || name.startsWith("model"))).toBe(false);
    const diffusion = await treeOf(["blocks.0.ffn.weight", "blocks.1.ffn.weight"], {
      _class_name: "WanTransformer3DModel",
    });
    expect(selectedNames(diffusion, "blocks.{*}")).toEqual(["blocks.0", "blocks.1"]);
  });

  it("gives the layers of VeOmni's own classes their class, and guesses none for others of diffusers", async () => {
    const tensors = ["blocks.0.attn.q.weight", "blocks.1.attn.q.weight", "proj_out.weight"];
    const wan = await treeOf(tensors, { _class_name: "WanModel", model_type: "t2v", num_layers: 2 });
    expect(selectModules(wan, []).selected.map(({ name, type }) => [name, type])).toEqual([
      ["blocks.0", "DiTBlock"],
      ["blocks.1", "DiTBlock"],
    ]);
    const other = await treeOf(tensors, { _class_name: "SomeTransformer3DModel", num_layers: 2 });
    expect(other.noSplitModules).toBeUndefined();
    expect(other.modules.find(({ name }) => name === "blocks.0")?.type).toBeUndefined();
    expect(other.uncertain.join()).toContain("is a guess");
  });

  it.each([
    ["{", "cannot be used"],
    ["[]", "does not hold a JSON object"],
    [undefined, "is missing"],
  ])("warns of a config.json that is %j", async (text, words) => {
    const tree = await treeOf(llama("model."), text);
    expect(tree.warnings).toEqual([expect.stringContaining(words)]);
    expect(tree.uncertain).toContain(tree.warnings?.[0]);
    expect(tree.exact).toBe(false);
  });

  it("has nothing to warn of in a good checkpoint", async () => {
    const tree = await treeOf(llama("model."), { model_type: "llama", num_hidden_layers: 2 });
    expect(tree.warnings).toBeUndefined();
  });

  it("guesses the class of the layers of an unknown family for the automatic mode", async () => {
    const tree = await treeOf(["transformer.h.0.fc.weight", "transformer.h.1.fc.weight"], {
      model_type: "new",
      architectures: ["NewForCausalLM"],
    });
    const { selected, model } = selectModules(tree, []);
    expect(selected.map(({ name, type }) => [name, type])).toEqual([
      ["transformer.h.0", "NewDecoderLayer"],
      ["transformer.h.1", "NewDecoderLayer"],
    ]);
    expect(model.exact).toBe(false);
  });

  it.each([
    ["is missing", undefined],
    ["is not JSON", "{"],
    ["is not an object", "[1]"],
    ["has members of wrong types", { model_type: 1, architectures: "x", num_hidden_layers: "many" }],
    ["declares an absurd number of layers", { num_hidden_layers: 1e12 }],
  ])("still gives the layers when config.json %s, and says so", async (_, config) => {
    const tree = await treeOf(llama("model."), config);
    expect(selectedNames(tree, "model.layers.{*}")).toEqual(["model.layers.0", "model.layers.1"]);
    expect(tree.exact).toBe(false);
    expect(tree.uncertain.length).toBeGreaterThan(2);
  });

  it("refuses a directory that is missing, is a file, or may not be read", async () => {
    const files = memoryFiles(new Map([["file", encode("x")]]));
    const codeOf = async (path: string) => {
      const tree = await loadCheckpointTree(files, path);
      return tree.ok ? "none" : tree.problem.code;
    };
    expect(await codeOf("nowhere")).toBe("MODEL_DIRECTORY_MISSING");
    expect(await codeOf("file")).toBe("MODEL_DIRECTORY_MISSING");
    const forbidden = {
      ok: false,
      problem: { code: "FILE_FORBIDDEN", message: "m may not be read.", nextStep: "x" },
    } as const;
    const tree = await loadCheckpointTree({ ...files, info: async () => forbidden }, "m");
    expect(tree.ok ? "none" : tree.problem.code).toBe("MODEL_DIRECTORY_UNREADABLE");
  });
});
