import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { indentationStep, placeEntry, scalarLines } from "../../../../src/core/config/document/placement.js";
import { applyFix } from "../checkedText.js";

function place(text: string, path: string): string | undefined {
  const edit = placeEntry(parseConfig(text, "pyyaml"), path.split("."), scalarLines("true"));
  return edit === undefined ? undefined : applyFix(text, { title: "", edits: [edit] });
}

describe("placeEntry", () => {
  it.each([
    ["a: 1", "b", "a: 1\nb: true"],
    ["a:\n  b: 1 # one\nc: 2\n", "a.d", "a:\n  b: 1 # one\n  d: true\nc: 2\n"],
    ["a:\n  b: 1\n  # more\n# top\nc: 2\n", "a.d.e", "a:\n  b: 1\n  # more\n  d:\n    e: true\n# top\nc: 2\n"],
    ["a:\r\n  b: 1\r\n", "a.d", "a:\r\n  b: 1\r\n  d: true\r\n"],
    ["a: {b: 1}\n", "a.d", "a: {b: 1, d: true}\n"],
    ["a: # none\nc: 1\n", "a.d", "a: # none\n  d: true\nc: 1\n"],
    ["a:\n    b:\n        c: 1\n", "a.d.e", "a:\n    b:\n        c: 1\n    d:\n        e: true\n"],
  ])("in %j at %s", (text, path, expected) => {
    expect(place(text, path)).toBe(expected);
  });

  it.each([
    ["a: 1\n", "a"],
    ["a: 1\n", "a.b"],
    ["x: &x {b: 1}\na: *x\n", "a.c"],
    ["a: {b: 1\n", "a.c"],
    ["- 1\n", "a"],
    ["", "a"],
  ])("refuses %j at %s", (text, path) => {
    expect(place(text, path)).toBeUndefined();
  });
});

describe("indentationStep", () => {
  it("follows the first block", () => {
    expect(indentationStep(parseConfig("a: {b: 1}\nc:\n    d: 1\n", "pyyaml"))).toBe("    ");
    expect(indentationStep(parseConfig("a: 1\n", "pyyaml"))).toBe("  ");
  });
});
