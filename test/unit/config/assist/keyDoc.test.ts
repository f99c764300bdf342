import { describe, expect, it } from "vitest";
import { code, docOfTrainingField, docOfVerlField } from "../../../../src/core/config/assist/keyDoc.js";
import { keyDetail, keyMarkdown } from "../../../../src/core/config/assist/keyText.js";
import { verlEngineFields, verlEngineTable } from "../../../../src/core/config/fields/verlEngine.js";
import { trainingFields } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import { layoutIds } from "../../../../src/core/config/veomni/layout.js";

describe("docs of keys", () => {
  it("exist for every row of verl's table, with description, reader and source", () => {
    for (const field of verlEngineFields) {
      const markdown = keyMarkdown(docOfVerlField(field, verlEngineTable));
      expect(markdown).toContain(field.description);
      expect(markdown).toContain(`- read by: ${field.readBy}`);
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
        expect(keyMarkdown(doc)).toContain(field.description);
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

describe("code", () => {
  it("keeps any text inside", () => {
    expect(code("a")).toBe("`a`");
    expect(code("a`b``c")).toBe("``` a`b``c ```");
    expect(code("a\nb")).toBe("`a b`");
  });
});
