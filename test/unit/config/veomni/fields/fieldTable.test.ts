import { describe, expect, it } from "vitest";
import {
  fieldAt,
  fieldName,
  fieldNamed,
  membersUnder,
  trainingFields,
} from "../../../../../src/core/config/veomni/fields/fieldTable.js";
import type { TrainingField } from "../../../../../src/core/config/veomni/fields/trainingField.js";
import { type LayoutId, layoutIds } from "../../../../../src/core/config/veomni/layout.js";
import { trainingFindings } from "../checkedTraining.js";
import { recordedFields } from "../recordedFields.js";

describe("the field table", () => {
  it("holds each recorded field once", () => {
    expect(trainingFields).toHaveLength(recordedFields.fields.length);
    expect(new Set(trainingFields.map(fieldName)).size).toBe(trainingFields.length);
  });

  it.each(recordedFields.fields.map((field) => [field.pathTrainScoped ?? field.pathModelScoped ?? "", field] as const))(
    "describes %s as recorded",
    (name, recorded) => {
      const field = fieldNamed(name);
      expect(field.type).toBe(recorded.type);
      expect(field.nullable ?? false).toBe(recorded.nullable);
      expect(field.required ?? false).toBe(recorded.required);
      const hasDefault = !recorded.required && !String(recorded.default).startsWith("(");
      if (hasDefault) expect(field.default).toEqual(recorded.default);
      expect(field.constraints ?? []).toEqual(recorded.constraints);
      expect(field.description).toBe(recorded.description);
      expect(field.pitfall).toBe(recorded.pitfall);
      expect(field.trainers).toEqual(recorded.trainers);
      expect(field.paths["train-scoped+async"] ?? null).toBe(recorded.pathTrainScoped);
      const newest = field.paths["model-scoped"] ?? field.paths["model-scoped+template"] ?? null;
      expect(newest).toBe(recorded.pathModelScoped);
    },
  );

  it("has the values that were recorded", () => {
    for (const recorded of recordedFields.fields) {
      const named = (recorded.allowed ?? [])
        .filter((value) => !value.startsWith("("))
        .map((value) => value.split(" ")[0]);
      const field = fieldNamed(recorded.pathTrainScoped ?? recorded.pathModelScoped ?? "");
      const values = field.allowed?.values ?? [];
      expect(named.filter((value) => !values.includes(value ?? ""))).toEqual([]);
    }
  });

  it("lists members and finds rows of omni modules", () => {
    expect(membersUnder("train-scoped", "train.accelerator.offload_config")).toEqual([
      "enable_activation",
      "activation_gpu_limit",
    ]);
    expect(membersUnder("model-scoped", "model.accelerator.offload_config")).toHaveLength(5);
    expect(membersUnder("flat", "train.accelerator")).toEqual([]);
    expect(fieldAt("model-scoped", "model.modules.vit.optimizer.lr")).toBe(fieldNamed("train.optimizer.lr"));
    expect(fieldAt("train-scoped", "model.modules.vit.optimizer.lr")).toBeUndefined();
    expect(() => fieldNamed("train.nothing")).toThrow("train.nothing");
  });
});

/** A config in flow style with one value at a path; JSON is YAML. */
function configWith(path: string, valueText: string): string {
  const [top = "", ...rest] = path.split(".");
  const nested = rest.reduceRight((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, valueText);
  const blocks = ["model", "data", "train"].filter((name) => name !== top).map((name) => `${name}: {}`);
  return [...blocks, `${top}: ${nested}`, ""].join("\n");
}

const badValues: Readonly<Record<TrainingField["type"], string>> = {
  bool: '"maybe"',
  int: '"many"',
  float: '"much"',
  str: "{a: 1}",
  "list[str]": "[1]",
  "list[int]": "[a]",
  "list[float]": "[a]",
  "list[bool]": "[a]",
  map: "3",
  "map(free)": "3",
};

function goodValue(field: TrainingField): string {
  if (field.type.startsWith("map")) return "{}";
  const value = field.default;
  if (typeof value === "number" && field.type === "float")
    return value === 0 ? "0.0" : value.toExponential(3).replace(/e([-+])(\d)$/, "e$10$2");
  if (value === undefined || (value === null && field.nullable !== true)) return "text";
  return JSON.stringify(value);
}

function typeFindings(layout: LayoutId, path: string, valueText: string): readonly string[] {
  const typeCodes = [
    "wrong-type",
    "list-entry-type",
    "list-entry-not-string",
    "unknown-value",
    "out-of-range",
    "exponent-text",
  ];
  const keyCodes = [
    "unknown-key",
    "moved-key",
    "newer-key",
    "removed-key",
    "misnamed-key",
    "foreign-key",
    "unmerged-key",
  ];
  return trainingFindings(`# offload-lens: layout=${layout}\n${configWith(path, valueText)}`)
    .map((finding) => finding.code)
    .filter((code) => typeCodes.includes(code) || keyCodes.includes(code));
}

describe.each(layoutIds)("every field in the layout %s", (layout) => {
  const fields = trainingFields.flatMap((field) => {
    const path = field.paths[layout]?.replace("<name>", "vit");
    return path === undefined ? [] : [[path, field] as const];
  });

  it.each(fields)("takes the default of %s and refuses another type", (path, field) => {
    expect(typeFindings(layout, path, goodValue(field))).toEqual([]);
    expect(typeFindings(layout, path, badValues[field.type])).toHaveLength(1);
  });

  const closed = fields.filter(([, field]) => field.allowed !== undefined);
  it.each(closed)("knows the values of %s", (path, field) => {
    for (const value of field.allowed?.values ?? []) {
      const isTaken = field.allowed?.onlyIn?.[value]?.includes(layout) ?? true;
      expect([value, typeFindings(layout, path, JSON.stringify(value))]).toEqual([
        value,
        isTaken ? [] : ["unknown-value"],
      ]);
    }
    expect(typeFindings(layout, path, "no-such-value")).toEqual(["unknown-value"]);
  });
});
