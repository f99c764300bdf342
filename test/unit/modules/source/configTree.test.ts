import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { configTree, loadConfigTree } from "../../../../src/core/modules/source/configTree.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { builtConfigurations } from "../builtConfigurations.js";
import { memoryFiles } from "../memoryFiles.js";
import { recordedTree, recordedTreeNames } from "../recordedTrees.js";

const encode = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const rowsOf = (tree: ModuleTree) => tree.modules.map(({ name, type }) => [name, type]);

function treeOf(config: unknown): ModuleTree {
  const tree = configTree(config);
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

function recorded(name: string): Readonly<Record<string, unknown>> & { readonly config: object } {
  const file = new URL(`../../../fixtures/modules/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
}

describe("configTree equals what the library builds", () => {
  it.each(recordedTreeNames)("from the configuration of %s", (name) => {
    const { config, architecture } = recorded(name);
    const tree = treeOf({ ...config, architectures: [architecture] });
    const truth = recordedTree(name).tree;
    expect(rowsOf(tree)).toEqual(rowsOf(truth));
    expect([...tree.containers]).toEqual([...truth.containers]);
    expect([...(tree.noSplitModules ?? [])].sort()).toEqual([...(truth.noSplitModules ?? [])].sort());
  });

  it.each(builtConfigurations.map((built) => [built.name, built] as const))("from %s", (_, built) => {
    const tree = treeOf({ ...built.config, model_type: built.model_type, architectures: [built.architecture] });
    expect(rowsOf(tree)).toEqual(built.named_modules);
    expect([...tree.containers]).toEqual(built.containers);
    // VeOmni gives the models that hear its own list.
    if (built.model_type.includes("omni")) return;
    expect([...(tree.noSplitModules ?? [])].sort()).toEqual([...built.no_split_modules].sort());
  });

  it("is exact for every recorded family", () => {
    const exact = recordedTreeNames.filter((name) => {
      const { config, architecture } = recorded(name);
      const tree = treeOf({ ...config, architectures: [architecture] });
      return JSON.stringify(rowsOf(tree)) === JSON.stringify(rowsOf(recordedTree(name).tree));
    });
    console.log(`config.json alone: ${exact.length} of ${recordedTreeNames.length} recorded families exact`);
    expect(exact.length).toBe(recordedTreeNames.length);
  });
});

const qwen3 = { model_type: "qwen3", architectures: ["Qwen3ForCausalLM"], num_hidden_layers: 2 };

describe("configTree", () => {
  it("says what it takes for granted and which list it could not size", () => {
    expect(treeOf(qwen3).uncertain).toHaveLength(1);
    const vision = treeOf({ model_type: "qwen3_vl", text_config: { num_hidden_layers: 2 }, vision_config: {} });
    expect(vision.uncertain.join()).toContain("vision_config.depth");
    expect(vision.exact).toBe(false);
  });

  it("builds the head class where none is named, and the thinker where VeOmni does", () => {
    expect(treeOf({ model_type: "llama", num_hidden_layers: 1 }).architecture).toBe("LlamaForCausalLM");
    const thinker = {
      text_config: { num_hidden_layers: 1 },
      vision_config: { depth: 1 },
      audio_config: { encoder_layers: 2 },
    };
    const omni = treeOf({ model_type: "qwen2_5_omni", thinker_config: thinker });
    expect([...omni.containers]).toContain("thinker.audio_tower.layers");
    expect(omni.modules.some(({ name }) => name === "thinker.model.layers.0.self_attn")).toBe(true);
  });

  it.each([
    [null, "MODEL_CONFIG_INVALID"],
    [[], "MODEL_CONFIG_INVALID"],
    [{}, "MODEL_FAMILY_UNKNOWN"],
    [{ model_type: "nothing_such", num_hidden_layers: 2 }, "MODEL_FAMILY_UNKNOWN"],
    [{ model_type: "qwen3", num_hidden_layers: -1 }, "MODEL_CONFIG_WITHOUT_LAYERS"],
    [{ model_type: "qwen3", num_hidden_layers: 1e9 }, "MODEL_CONFIG_WITHOUT_LAYERS"],
    [{ model_type: "qwen3", num_hidden_layers: "36" }, "MODEL_CONFIG_WITHOUT_LAYERS"],
    [{ model_type: "__proto__", num_hidden_layers: 2 }, "MODEL_FAMILY_UNKNOWN"],
  ])("refuses %j with %s", (config, code) => {
    expect(configTree(config)).toMatchObject({ ok: false, problem: { code } });
  });

  it("builds the cross attention that a GPT-2 in a decoder's place has", () => {
    const layerOf = (more: object) => {
      const { modules } = treeOf({ model_type: "gpt2", n_layer: 1, ...more });
      return modules.filter(({ name }) => /^transformer\.h\.0\.\w+$/.test(name)).map(({ name }) => name.slice(16));
    };
    expect(layerOf({})).toEqual(["ln_1", "attn", "ln_2", "mlp"]);
    const crossing = ["ln_1", "attn", "ln_2", "crossattention", "ln_cross_attn", "mlp"];
    expect(layerOf({ add_cross_attention: true })).toEqual(crossing);
  });

  it("says what code of its own and quantisation leave open", () => {
    const tree = treeOf({ model_type: "qwen3", num_hidden_layers: 2, quantization_config: { quant_method: "fp8" } });
    expect(tree.uncertain.some((text) => text.includes("quantisation (fp8)"))).toBe(true);
  });

  it("takes the library's default where the file leaves the number of layers out, and says so", () => {
    // LLaVA 1.5 7B as it is published: the text model is a Llama of default size.
    const llava = treeOf({
      model_type: "llava",
      architectures: ["LlavaForConditionalGeneration"],
      text_config: { model_type: "llama", vocab_size: 32064 },
      vision_config: { model_type: "clip_vision_model", num_hidden_layers: 24, hidden_size: 1024 },
    });
    expect(llava.modules.filter(({ type }) => type === "LlamaDecoderLayer")).toHaveLength(32);
    expect(llava.modules.filter(({ type }) => type === "CLIPEncoderLayer")).toHaveLength(24);
    expect(llava.uncertain.some((text) => text.includes("32 are shown"))).toBe(true);
    expect(llava.warnings).toHaveLength(1);
  });

  it("bounds lists that the configuration sizes", () => {
    const vision = { model_type: "qwen3_vl", text_config: { num_hidden_layers: 2 }, vision_config: { depth: 1e12 } };
    expect(treeOf(vision).modules.length).toBeLessThan(100);
  });
});

describe("loadConfigTree", () => {
  const files = memoryFiles(
    new Map([
      ["m/config.json", encode(qwen3)],
      ["m/python.json", encode('{"model_type": "qwen3", "num_hidden_layers": 2, "x": [0.0, Infinity], "y": "NaN"}')],
      ["m/broken.json", encode('{"model_type": ')],
    ]),
  );

  it("reads a file, its directory, and the numbers that Python writes", async () => {
    for (const path of ["m/config.json", "m", "m/python.json"]) {
      expect(await loadConfigTree(files, path)).toMatchObject({ ok: true, value: { source: "config-json" } });
    }
  });

  it("names missing and broken files", async () => {
    expect(await loadConfigTree(files, "n")).toMatchObject({ problem: { code: "MODEL_CONFIG_MISSING" } });
    expect(await loadConfigTree(files, "m/broken.json")).toMatchObject({ problem: { code: "MODEL_CONFIG_INVALID" } });
  });
});
