import { describe, expect, it } from "vitest";
import { rulesOn } from "../../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../../src/core/config/check.js";
import type { FieldSpec } from "../../../../../src/core/config/verl/fields/fieldSpec.js";
import { verlEngineTable } from "../../../../../src/core/config/verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../../../../../src/core/config/verl/fields/verlOptimizer.js";

const classes = {
  engine: "_target_: verl.workers.config.VeOmniEngineConfig\n",
  optimizer: "_target_: verl.workers.config.VeOmniOptimizerConfig\n",
};

const rows = [
  ...verlEngineTable.fields.map((field) => ["engine", field.key, field] as const),
  ...verlOptimizerTable.fields.map((field) => ["optimizer", field.key, field] as const),
].filter(([, key]) => key !== "_target_");

/** A file that gives the field a value; `router_replay.mode` becomes a nested mapping. */
function file(table: "engine" | "optimizer", key: string, value: string): string {
  const [outer = "", inner] = key.split(".");
  const on = outer.startsWith("activation_offload") ? "enable_async_activation_offload: true\n" : "";
  return `${classes[table]}${on}${inner === undefined ? `${outer}: ${value}` : `${outer}:\n  ${inner}: ${value}`}\n`;
}

function codesIn(text: string): readonly string[] {
  return checkDocument("experiment.yaml", text)?.diagnostics.map(({ code }) => code) ?? ["not checked"];
}

function rightValue(field: FieldSpec): string {
  if (field.yamlDefault !== undefined) return JSON.stringify(field.yamlDefault);
  if (field.allowed !== undefined) return field.allowed.values[0] ?? "";
  return {
    bool: "false",
    int: "8",
    float: "1.5",
    str: "text",
    "list[str]": "[a.*]",
    "list[float]": "[0.9]",
    map: "{}",
  }[field.type];
}

/** A value of another type, by which `wrong-type` must know the field. */
function wrongValue(field: FieldSpec): string {
  return field.type === "str" ? "[a]" : field.type.startsWith("list") || field.type === "map" ? "7" : "[x]";
}

describe("every field of verl's tables", () => {
  it.each(rows)("%s %s is content with a right value", (table, key, field) => {
    const harmless = new Set(["inert-key", "deprecated-value"]);
    expect(codesIn(file(table, key, rightValue(field))).filter((code) => !harmless.has(code))).toEqual([]);
  });

  it.each(rows)("%s %s knows a value of another type", (table, key, field) => {
    expect(codesIn(file(table, key, wrongValue(field)))).toContain("wrong-type");
  });

  it.each(rows.filter(([, , field]) => field.allowed !== undefined))("%s %s knows other values", (table, key) => {
    expect(codesIn(file(table, key, "no_such_value"))).toContain("unknown-value");
  });

  it.each(rows.filter(([, , field]) => field.range !== undefined))("%s %s knows its bounds", (table, key, field) => {
    const outside = field.range?.exclude?.[0] ?? (field.range?.minimum ?? 0) - 1;
    expect(codesIn(file(table, key, String(outside)))).toContain("out-of-range");
  });

  it.each(rows.filter(([, , field]) => rulesOn(field).includes("inert-key")))(
    "%s %s is known to be inert",
    (table, key, field) => {
      const other = {
        bool: (field.yamlDefault ?? field.dataclassDefault) === true ? "false" : "true",
        int: "3",
        str: "elsewhere",
      };
      const value = other[field.type as "bool" | "int" | "str"];
      expect(codesIn(file(table, key, value))).toContain("inert-key");
    },
  );

  it.each(rows.filter(([, , field]) => field.type === "list[str]"))(
    "%s %s knows texts and odd entries",
    (table, key) => {
      expect(codesIn(file(table, key, "a.*"))).toContain("text-instead-of-list");
      expect(codesIn(file(table, key, "[{a: b}]"))).toContain("list-entry-not-string");
      expect(codesIn(file(table, key, "[a.{*}]"))).toContain("unquoted-pattern");
    },
  );

  it.each([...rows.filter(([, key]) => !key.includes("."))])("%s %s is found by a near spelling", (table, key) => {
    const misspelt = `${key}x`;
    const fixes = checkDocument("experiment.yaml", file(table, misspelt, "1"))?.diagnostics.flatMap(
      ({ fixes }) => fixes,
    );
    const long = key.length >= 4;
    expect(fixes?.some((fix) => fix.title === `Rename to ${key}`)).toBe(long);
  });
});
