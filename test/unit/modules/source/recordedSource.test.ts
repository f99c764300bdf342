import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { loadCheckpointTree } from "../../../../src/core/modules/source/checkpoint.js";
import { configTree } from "../../../../src/core/modules/source/configTree.js";
import { recordedModuleTree } from "../../../../src/core/modules/source/recordedSource.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

interface Recorded {
  readonly modelType: string;
  readonly architecture: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly noSplit: readonly string[];
}
interface RecordedCheckpoint extends Recorded {
  readonly tensors: readonly string[];
  readonly containers: readonly string[];
  readonly moduleDicts: readonly string[];
  readonly rows: readonly (readonly [string, string])[];
}

function read<T>(name: string): readonly T[] {
  const bytes = readFileSync(new URL(`../../../fixtures/recorded/${name}.jsonl.gz`, import.meta.url));
  return gunzipSync(bytes)
    .toString("utf8")
    .split("\n")
    .map((line): T => JSON.parse(line));
}

const checkpoints = read<RecordedCheckpoint>("checkpoints");
const configurations = read<Recorded & { readonly rowsHash: string }>("configurations");
const rowsOf = (tree: ModuleTree) => tree.modules.map(({ name, type }) => [name, type]);
const hashOf = (rows: unknown) => createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 24);

async function checkpointTree({ config, tensors }: RecordedCheckpoint): Promise<ModuleTree> {
  const json = new TextEncoder().encode(JSON.stringify(config));
  const files = memoryFiles(
    new Map([
      ["m/config.json", json],
      ["m/model.safetensors", tensorFile([...tensors].sort())],
    ]),
  );
  const tree = await loadCheckpointTree(files, "m");
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

describe("a checkpoint that the library saved", () => {
  it.each(checkpoints.map((one) => [`${one.modelType}/${one.architecture}`, one] as const))(
    "of %s gives the modules that the library builds",
    async (_, one) => {
      const tree = await checkpointTree(one);
      expect(rowsOf(tree)).toEqual(one.rows);
      expect([...tree.containers]).toEqual(one.containers);
      const truth: ModuleTree = { ...tree, noSplitModules: one.noSplit };
      expect(selectModules(tree, []).selected).toEqual(selectModules(truth, []).selected);
    },
  );
});

/** Their rules are not known; the tree says where it is in doubt. Others must not join them. */
const inDoubt = new Set([
  "blt/BltForCausalLM",
  "evolla/EvollaForProteinText2Text",
  "florence2/Florence2ForConditionalGeneration",
  "fun_asr_nano/FunAsrNanoForConditionalGeneration",
  "janus/JanusForConditionalGeneration",
  "kyutai_speech_to_text/KyutaiSpeechToTextForConditionalGeneration",
  "qwen2_5_omni/Qwen2_5OmniForConditionalGeneration",
  "vibevoice_asr/VibeVoiceAsrForConditionalGeneration",
]);

describe("a default configuration of the library", () => {
  it.each(configurations.map((one) => [`${one.modelType}/${one.architecture}`, one] as const))(
    "of %s gives its modules, or says what is in doubt",
    (name, one) => {
      const tree = configTree({ ...one.config, architectures: [one.architecture] });
      if (!tree.ok) throw new Error(tree.problem.code);
      if (inDoubt.has(name)) expect(tree.value.uncertain.length).toBeGreaterThan(1);
      else expect(hashOf(rowsOf(tree.value))).toBe(one.rowsHash);
    },
  );
});

describe("recordedModuleTree", () => {
  const jamba = { model_type: "jamba", architectures: ["JambaForCausalLM"], num_hidden_layers: 2 };

  it("knows no model that was not recorded, and none of which VeOmni builds a part", () => {
    expect(recordedModuleTree({ model_type: "nothing_such" }, undefined)).toBeUndefined();
    expect(recordedModuleTree(undefined, undefined)).toBeUndefined();
    expect(recordedModuleTree({ model_type: "qwen2_5_omni" }, undefined)).toBeUndefined();
  });

  it("names tensors that the class does not load, and layers without tensors", () => {
    const names = TensorNames.of([
      "model.layers.0.mamba.in_proj.weight",
      "extra.weight",
      "model.layers.7.mamba.in_proj.weight",
    ]);
    const tree = recordedModuleTree(jamba, names)?.tree;
    const text = tree?.uncertain.join(" ");
    expect(text).toContain("model.layers.1");
    expect(text).toContain("extra");
    expect(text).toContain("model.layers.7");
    expect(tree?.modules.some(({ name }) => name.startsWith("extra"))).toBe(false);
  });

  it("bounds what a configuration may count", () => {
    const huge = recordedModuleTree({ ...jamba, num_hidden_layers: 1e12 }, undefined)?.tree;
    expect(huge?.modules.length).toBeLessThan(2000);
    const deep = { model_type: "t5gemma2", encoder: { text_config: [] }, decoder: "x", vision_config: 7 };
    expect(recordedModuleTree(deep, undefined)?.tree.modules.length).toBeLessThan(5000);
  });

  it("puts another text model into a model that sees, and says so where it cannot", () => {
    const aria = { model_type: "vipllava", architectures: ["VipLlavaForConditionalGeneration"] };
    const text = { model_type: "mistral", num_hidden_layers: 2, hidden_act: "silu" };
    const tree = recordedModuleTree({ ...aria, text_config: text }, undefined)?.tree;
    const typeOf = (name: string) => tree?.modules.find((module) => module.name === name)?.type;
    expect(typeOf("model.language_model")).toBe("MistralModel");
    expect(typeOf("model.language_model.layers.1.mlp")).toBe("MistralMLP");
    expect(tree?.noSplitModules).toContain("MistralDecoderLayer");
    expect(tree?.noSplitModules).not.toContain("LlamaDecoderLayer");
    const odd = recordedModuleTree({ ...aria, text_config: { model_type: "odd" } }, undefined)?.tree;
    expect(odd?.uncertain.join(" ")).toContain('"odd"');
  });

  it("builds the body alone and another head around it", () => {
    const bare = recordedModuleTree({ ...jamba, architectures: ["JambaModel"] }, undefined)?.tree;
    expect(bare?.modules[0]).toEqual({ name: "", type: "JambaModel" });
    expect(bare?.containers.has("layers")).toBe(true);
    const score = recordedModuleTree({ ...jamba, architectures: ["JambaForSequenceClassification"] }, undefined)?.tree;
    expect(score?.modules.at(-1)).toEqual({ name: "score", type: "Linear" });
    expect(score?.containers.has("model.layers")).toBe(true);
  });
});
