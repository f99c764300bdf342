import { describe, expect, it } from "vitest";
import { entryFindings, kindOf } from "../../../../src/core/config/patterns/listEntryNotString.js";
import { plainFile, told } from "../rules/plainFile.js";

function found(list: string): readonly string[] {
  const text = `key: ${list}\n`;
  const { document, written } = plainFile(text, { key: { type: "list[str]", description: "" } });
  return told(
    text,
    written.flatMap((each) => entryFindings(document, each, (item) => (kindOf(item) === "null" ? "warning" : "error"))),
  );
}

describe("entryFindings", () => {
  it.each<[string, string[]]>([
    ["[a, 3]", ['error 3: Every entry of key must be a text; this one is a number. → "3"']],
    ["[true]", ['error true: Every entry of key must be a text; this one is a boolean. → "true"']],
    ["[~]", ["warning ~: Every entry of key must be a text; this one is null."]],
    ["[[a]]", ["error [a]: Every entry of key must be a text; this one is a list."]],
    [
      "[{model.layers.*}]",
      ['error {model.layers.*}: Every entry of key must be a text; this one is a mapping. → "model.layers.*"'],
    ],
    ["[{a: 1}]", ["error {a: 1}: Every entry of key must be a text; this one is a mapping."]],
  ])("%s", (list, expected) => {
    expect(found(list)).toEqual(expected);
  });

  it.each(["[a, b.*]", "['3']", "[]", "a", "[model.layers.{*}]"])("is silent on %s", (list) => {
    expect(found(list)).toEqual([]);
  });

  it("reports no more than 200 entries of one list", () => {
    expect(found(`[${"3, ".repeat(1_000)}]`)).toHaveLength(200);
  });
});
