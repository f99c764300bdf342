import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { examplePath, type RecordedConstraint } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import { schemaOf } from "../../../../src/core/config/schema/dialects.js";
import { plainValue } from "./plainValue.js";

const constraints: readonly RecordedConstraint[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/config/constraints.json", import.meta.url), "utf8"),
);
const rows = constraints
  .filter(({ outOfReach }) => outOfReach === undefined)
  .map(({ field, constraint, ...each }) => [field, constraint, each] as const);

/** Needs division, or lengths of lists that are compared: no schema can say it. */
const arithmetic = new Set(["parallel-sizes", "batch-multiple", "extra-parallel-lengths"]);

const ajv = new Ajv2020({ allErrors: true, strict: true });
const validators = new Map<string, ValidateFunction>();

function errorsIn(text: string): readonly unknown[] {
  const dialect = checkDocument(examplePath, text)?.dialect ?? "";
  const validate = validators.get(dialect) ?? ajv.compile(schemaOf(dialect) ?? false);
  validators.set(dialect, validate);
  validate(plainValue(text, dialect === "verl" ? "omegaconf" : "pyyaml"));
  return validate.errors ?? [];
}

describe("the schemas on recorded demands", () => {
  it.each(rows)("%s: %s", (_field, _constraint, { code = "", wrong = "", right = "" }) => {
    expect(errorsIn(right)).toEqual([]);
    const found = checkDocument(examplePath, wrong)?.diagnostics.find((each) => each.code === code);
    if (found?.severity !== "error" || arithmetic.has(code)) return;
    expect(errorsIn(wrong)).not.toEqual([]);
  });

  it("are compared with at least forty files that a schema has to refuse", () => {
    const refused = rows.filter(([, , { wrong = "" }]) => errorsIn(wrong).length > 0);
    expect(refused.length).toBeGreaterThanOrEqual(40);
  });
});
