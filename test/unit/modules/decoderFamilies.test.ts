import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type DecoderFamily, decoderFamilies, decoderFamilyOf } from "../../../src/core/modules/decoderFamilies.js";
import { configTree } from "../../../src/core/modules/source/configTree.js";

/** What transformers saved of a tiny model of a class. */
interface Saved {
  readonly modelType: string;
  readonly architecture: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly tensors: readonly string[];
  readonly rows: readonly (readonly [name: string, type: string])[];
}

const sizes = { vocab_size: 64, hidden_size: 32, num_hidden_layers: 3, num_attention_heads: 4, intermediate_size: 64 };

/** Parts of a model with a vision tower, whose module trees have the names of the whole. */
const isPart = (modelType: string) => /_vl|_text$|^qwen3_5$/.test(modelType);

const families = decoderFamilies.flatMap((row) => row.modelTypes.map((modelType) => ({ modelType, row })));

describe("the record of decoder families, which editor and engine read", () => {
  it.each(families.filter(({ modelType }) => !isPart(modelType)))(
    "names body and layers of $modelType as the module tree does",
    ({ modelType, row }) => {
      const tree = configTree({ model_type: modelType, ...sizes });
      if (!tree.ok) throw new Error(tree.problem.message);
      const list = `${row.baseName ?? "model"}.${row.layersName ?? "layers"}`;
      const names = tree.value.modules.map(({ name }) => name);
      expect(names).toContain(list);
      expect(names).toContain(`${list}.2`);
      expect(names).not.toContain(`${list}.3`);
    },
  );

  it("has every model type once, and names op models that exist", () => {
    const types = families.map(({ modelType }) => modelType);
    expect(new Set(types).size).toBe(types.length);
    const folder = new URL("../../../native/engine/model/op_models/", import.meta.url);
    const models = readdirSync(folder).map((file) => file.replace(".json", ""));
    for (const { opModel } of decoderFamilies) expect([...models, undefined]).toContain(opModel);
  });

  it("is asked by the first model type that it has", () => {
    expect(decoderFamilyOf(["nothing_such", "gpt2", "llama"])?.baseName).toBe("transformer");
    expect(decoderFamilyOf(["__proto__"])).toBeUndefined();
  });
});

const saved: readonly Saved[] = gunzipSync(
  readFileSync(new URL("../../fixtures/recorded/checkpoints.jsonl.gz", import.meta.url)),
)
  .toString("utf8")
  .split("\n")
  .map((line): Saved => JSON.parse(line))
  .filter(({ modelType, architecture }) => {
    const hasHead = /For(CausalLM|ConditionalGeneration)$|LMHeadModel$/.test(architecture);
    return hasHead && decoderFamilyOf([modelType]) !== undefined;
  });

/** Norms beside attention and MLP in the layer in which they stand, by the form of the layer. */
const normsOf: Readonly<Record<NonNullable<DecoderFamily["layerForm"]>, number>> = {
  before: 2,
  around: 4,
  after: 2,
  parallelOneNorm: 1,
  parallelTwoNorms: 2,
};

describe("the record says what transformers saved", () => {
  it.each(saved)("of $modelType", ({ modelType, config, tensors, rows }) => {
    const row = decoderFamilyOf([modelType]);
    const inText = (name: string) => !name.includes("visual");
    const hasTensor = (pattern: RegExp) => tensors.some((name) => inText(name) && pattern.test(name));
    const hasBias = hasTensor(/(q_proj|query_key_value|c_attn|qkv_proj|Wqkv)\.bias$/);
    const saysBias = config.attention_bias === true || config.use_bias === true;
    expect(row?.queryKeyValueBias === true || saysBias).toBe(hasBias);
    expect(row?.tiedByDefault === true).toBe(!hasTensor(/^(lm_head|embed_out)\.weight$/));
    const modules = rows.filter(([name]) => inText(name));
    const hasHeadNorms = modules.some(([name]) => name.endsWith(".q_norm"));
    expect(row?.qkNorm === true).toBe(hasHeadNorms);
    const norms = modules.filter(([name]) => /\.(layers|h|blocks)\.1\.[^.]*(norm|ln)[^.]*$/.test(name));
    expect(norms).toHaveLength(normsOf[row?.layerForm ?? "before"] ?? 0);
    const isBehind = norms.every(([name]) => /\.post_\w+$/.test(name));
    expect(row?.layerForm === "after").toBe(isBehind);
  });

  it("covers most of the record", () => {
    expect(saved.length).toBeGreaterThan(25);
  });
});
