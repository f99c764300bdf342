import { describe, expect, it } from "vitest";
import { docOfTrainingField, docOfVerlField } from "../../../../src/core/config/assist/keyDoc.js";
import { keyDetail, keyMarkdown } from "../../../../src/core/config/assist/keyText.js";
import { escapeMarkdown } from "../../../../src/core/config/assist/markdown.js";
import { trainingFields } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import { layoutIds } from "../../../../src/core/config/veomni/layout.js";
import { verlEngineFields, verlEngineTable } from "../../../../src/core/config/verl/fields/verlEngine.js";

describe("docs of keys", () => {
  it("exist for every row of verl's table, with description, reader and source", () => {
    for (const field of verlEngineFields) {
      const markdown = keyMarkdown(docOfVerlField(field, verlEngineTable));
      expect(markdown).toContain(escapeMarkdown(field.description));
      expect(markdown).toContain(`- read by: ${escapeMarkdown(field.readBy)}`);
      expect(markdown).toContain("*As in verl");
    }
  });

  it("exist for every row of VeOmni's table in every layout that has it", () => {
    let count = 0;
    for (const layout of layoutIds) {
      for (const field of trainingFields) {
        const path = field.paths[layout];
        if (path === undefined) continue;
        count++;
        const doc = docOfTrainingField(field, path, layout);
        expect(keyMarkdown(doc)).toContain(escapeMarkdown(field.description));
        expect(path.endsWith(doc.name)).toBe(true);
      }
    }
    expect(count).toBeGreaterThan(trainingFields.length);
  });

  it("tell where other layouts have the key", () => {
    const field = trainingFields.find((each) => each.paths.flat === "train.activation_gpu_limit");
    if (field === undefined) throw new Error("the row is missing");
    const doc = docOfTrainingField(field, "model.accelerator.offload_config.activation_gpu_limit", "model-scoped");
    expect(doc.facts.map(({ label, text }) => `${label}: ${text}`)).toContain("in flat: `train.activation_gpu_limit`");
  });

  it("are described once", () => {
    const [field] = verlEngineFields;
    if (field === undefined) throw new Error("the table is empty");
    expect(docOfVerlField(field, verlEngineTable)).toBe(docOfVerlField(field, verlEngineTable));
  });

  it("say type and default beside the label", () => {
    const field = verlEngineTable.field("forward_only");
    if (field === undefined) throw new Error("the row is missing");
    expect(keyDetail(docOfVerlField(field, verlEngineTable))).toBe("bool, default false");
  });
});
