import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { composeYaml } from "../../../../src/core/config/yaml/composeYaml.js";
import { taggedValue } from "../../../fuzz/taggedValue.js";

function refusal(text: string): string | undefined {
  const composed = composeYaml(text);
  return "refused" in composed
    ? `${composed.refused.code}|${text.slice(composed.refused.start, composed.refused.end)}`
    : undefined;
}

function value(text: string): unknown {
  return taggedValue(parseConfig(text, "pyyaml").root);
}

describe("composeYaml", () => {
  it.each([
    ["a: # hidden\u2028b: 1\n", { a: null, b: ["i", 1] }],
    ["a: # hidden\x85b: 1\n", { a: null, b: ["i", 1] }],
    ["a: 1\u2029b: 2", { a: ["i", 1], b: ["i", 2] }],
    ["a: 1\rb: 2", { a: ["i", 1], b: ["i", 2] }],
    ['a: "x\u2028  y"', { a: ["s", "x\u2028y"] }],
    ['a: "x\x85  y"', { a: ["s", "x y"] }],
    ["a: 'x\u2029\u2028 y'", { a: ["s", "x\u2029\u2028y"] }],
    ["a: x\u2028 y", { a: ["s", "x\u2028y"] }],
    ["a: |\n  x\u2028  y\x85  z\n", { a: ["s", "x\u2028y\nz\n"] }],
    ["a: >\n  x\u2028  y\n  z\n", { a: ["s", "x\u2028y z\n"] }],
    ['a: "\\L\\N\\x41"', { a: ["s", "\u2028\x85A"] }],
    ["\uFEFFa: 1", { a: ["i", 1] }],
    ["\uFEFF\uFEFFa: 1", { "\uFEFFa": ["i", 1] }],
    ["%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1", { a: ["s", "1"] }],
  ])("reads %j as PyYAML does", (text, expected) => {
    expect(refusal(text)).toBeUndefined();
    expect(value(text)).toEqual(["m", expected]);
  });

  it.each([
    ["%TAG ! a\n%TAG ! b\n---\na: 1", "REPEATED_DIRECTIVE|%"],
    ["%YAML 1.1\n%YAML 1.1\n---\na: 1", "REPEATED_DIRECTIVE|%"],
    ["%YAML 2.0\n---\na: 1", "YAML_VERSION|%"],
    ["strategy: veomni # pasted\u2028second line\n", "MISSING_COLON|s"],
    ["a:\t1", "TAB|\t"],
    ["a: [b?c]", "MISSING_COMMA|?"],
    ["a: [1, 2", "MISSING_BRACKET|["],
    ["a: 'x", "MISSING_QUOTE|'"],
    ['a: "\\q"', "BAD_ESCAPE|\\"],
    ["a: &x 1\nb: &x 2", "REPEATED_ANCHOR|&x"],
    ["a: *x", "UNRESOLVED_ALIAS|*x"],
    ["a: !e!x 1", "UNKNOWN_TAG|!e!x"],
    ["a: |x\n  b", "BLOCK_HEADER|x"],
    ["a: b: c", "NOT_ALLOWED_HERE|:"],
    [": b", "UNEXPECTED_TOKEN|:"],
    ["a: 1\n---\nb: 1", "MULTIPLE_DOCS|-"],
    [`${"k".repeat(1025)}: 1`, "NOT_ALLOWED_HERE|:"],
  ])("stops at %j", (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });
});
