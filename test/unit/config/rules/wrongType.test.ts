import { describe, expect, it } from "vitest";
import { replaceFix } from "../../../../src/core/config/document/edits.js";
import { engineExample } from "../../../../src/core/config/rules/example.js";
import type { ConfigField, FieldType } from "../../../../src/core/config/rules/field.js";
import { wrongTypeRule } from "../../../../src/core/config/rules/wrongType.js";
import { engine, summaryOf } from "../checkedText.js";
import { trainingSummary } from "../veomni/checkedTraining.js";
import { type PlainFile, plainFile, told } from "./plainFile.js";

const types: readonly FieldType[] = ["bool", "int", "float", "str", "list[str]", "list[int]", "map"];
const fields: Readonly<Record<string, ConfigField>> = Object.fromEntries(
  types.map((type) => [type.replace(/\W+/g, "_").replace(/_$/, ""), { type, description: "" }]),
);

const rule = wrongTypeRule<PlainFile, ConfigField>({
  explanation: "A framework of one table.",
  example: engineExample("seed: a"),
  typeNames: { map: "a block" },
  written: ({ written }) => written,
  isOthers: (_, { path }) => path === "others",
  severityOf: (_, _field, whenRead) => whenRead,
  nullMismatch: ({ nullable }) =>
    nullable === false ? { severity: "error", message: "Null fails.", replacements: [] } : undefined,
  textForFloat: { message: "A text is no number.", number: /^(\d+) GB$/ },
  strMismatch: ({ value }) => ({ severity: "warning", message: "No text.", replacements: [`"${String(value)}"`] }),
  singleValue: () => "A single value fails.",
  fixes: (_, { entry }, { replacements }) => replacements.map((text) => replaceFix("Write", entry.value.span, text)),
});

function found(text: string): readonly string[] {
  const table = {
    ...fields,
    others: { type: "int", description: "" },
    strict: { type: "int", nullable: false, description: "" },
  } as const;
  return told(text, rule.check(plainFile(text, table)));
}

describe("wrongTypeRule", () => {
  it.each<[string, readonly string[]]>([
    [
      "bool: 'no'",
      ["warning 'no': bool must be true or false. Any non-empty text counts as true, this one too. → false"],
    ],
    ["int: many", ["error many: int must be a whole number. A text fails where it is used as a number."]],
    ["float: 4 GB", ["error 4 GB: float must be a number. A text is no number. → 4"]],
    ["float: true", ["warning true: float must be a number. The boolean counts as 1."]],
    ["str: 3", ['warning 3: str must be a text. No text. → "3"']],
    ["list_str: 3", ["error 3: list_str must be a list of texts. A single value fails."]],
    ["list_int: a", ["error a: list_int must be a list of whole numbers. A single value fails."]],
    ["map: a", ["error a: map must be a block. A single value fails."]],
    ["bool: [a]", ["warning [a]: bool must be true or false. A list counts as true unless it is empty."]],
    ["int: {a: 1}", ["error {a: 1}: int must be a whole number. A mapping fails at its first use."]],
    ["list_str: {a: 1}", ["warning {a: 1}: list_str must be a list of texts. Of a mapping only the keys are taken."]],
    ["map: [a]", ["error [a]: map must be a block. A list fails at its first use."]],
    ["strict: null", ["error null: strict must be a whole number. Null fails."]],
    ["strict:", ["error strict: strict must be a whole number. Null fails."]],
  ])("finds %s", (text, expected) => {
    expect(found(`${text}\n`)).toEqual(expected);
  });

  it.each([
    "bool: true",
    "int: 3",
    "int: null",
    "float: 3",
    "str: a",
    "list_str: a",
    "list_str: [a]",
    "map: {a: 1}",
    "others: a",
    "unknown: a",
    "int: ???",
    "int: ${a.b}",
  ])("is silent on %s", (text) => {
    expect(found(`${text}\n`)).toEqual([]);
  });

  it("judges both frameworks", () => {
    expect(summaryOf("wrong-type", engine("enable_async_activation_offload: 'no'"))).toEqual([
      "warning wrong-type|'no'",
    ]);
    expect(trainingSummary({ train: ['micro_batch_size: "2"'] }, "wrong-type")).toEqual(['error wrong-type|"2"']);
  });
});
