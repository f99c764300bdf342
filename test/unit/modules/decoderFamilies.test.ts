import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import record from "../../../src/core/modules/decoderFamilies.json";
import { configTree } from "../../../src/core/modules/source/configTree.js";

interface Row {
  readonly modelTypes: readonly string[];
  readonly baseName?: string;
  readonly layersName?: string;
  readonly opModel?: string;
}

const rows: readonly Row[] = record.families;

const sizes = { vocab_size: 64, hidden_size: 32, num_hidden_layers: 3, num_attention_heads: 4, intermediate_size: 64 };

/** Parts of a model with a vision tower, whose module trees have the names of the whole. */
const isPart = (modelType: string) => /_vl|_text$|^qwen3_5$/.test(modelType);

describe("the record of decoder families, which the engine reads", () => {
  const families = rows.flatMap((row) => row.modelTypes.map((modelType) => ({ modelType, row })));

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
    for (const { opModel } of rows) expect([...models, undefined]).toContain(opModel);
  });
});
