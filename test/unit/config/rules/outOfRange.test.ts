import { describe, expect, it } from "vitest";
import type { FieldRange } from "../../../../src/core/config/rules/field.js";
import { rangeFindings } from "../../../../src/core/config/rules/outOfRange.js";
import { plainFile, told } from "./plainFile.js";

function found(value: string, range: FieldRange | undefined, usual: unknown = undefined): readonly string[] {
  const text = `key: ${value}\n`;
  const { written } = plainFile(text, { key: { type: "float", description: "" } });
  return told(
    text,
    written.flatMap((each) => rangeFindings(each, range, usual, (number) => (number < 0 ? "error" : "warning"))),
  );
}

const failure = "it fails";

describe("rangeFindings", () => {
  it.each<[string, FieldRange, string[]]>([
    ["-1", { minimum: 0, failure }, ["error -1: key must be finite, at least 0: it fails."]],
    ["9", { minimum: 0, maximum: 8, failure }, ["warning 9: key must be finite, at least 0 and at most 8: it fails."]],
    [
      "0",
      { minimum: -1, exclude: [0], failure },
      ["warning 0: key must be finite, at least -1 and other than 0: it fails."],
    ],
    ["2", { minimum: 1, maximum: 1, failure }, ["warning 2: key must be 1: it fails."]],
    [".inf", { minimum: 0, failure }, ["warning .inf: key must be finite, at least 0: it fails."]],
    ["8", { minimum: 0, maximum: 8, failure }, []],
    ["many", { minimum: 0, failure }, []],
    ["true", { minimum: 2, failure }, []],
  ])("%s in %j", (value, range, expected) => {
    expect(found(value, range)).toEqual(expected);
  });

  it("offers a default that is a number, with a point where Python wants a float", () => {
    expect(found("-1", { minimum: 0, failure }, 4)[0]).toMatch(/ → 4\.0$/);
    expect(found("-1", { minimum: 0, failure }, "a")[0]).not.toContain("→");
    expect(found("-1", undefined, 4)).toEqual([]);
  });
});
