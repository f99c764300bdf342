import { describe, expect, it } from "vitest";
import { meantPatterns, textFindings } from "../../../../src/core/config/rules/textInsteadOfList.js";
import { plainFile, told } from "./plainFile.js";

function found(value: string, isPatterns: boolean): readonly string[] {
  const text = `key: ${value}\n`;
  const { written } = plainFile(text, { key: { type: "list[str]", description: "" } });
  return told(
    text,
    written.flatMap((each) => textFindings(each, isPatterns, (isFatal) => (isFatal ? "error" : "warning"))),
  );
}

describe("textFindings", () => {
  it.each<[string, boolean, string]>([
    ["model.layers.*", true, 'its * selects the root and every top-level module. → ["model.layers.*"]'],
    ["lm_head", true, 'none of which matches a module. → ["lm_head"]'],
    ["a, b", false, 'A text is taken apart into single characters. → ["a", "b"]'],
    ["''", true, "An empty text counts as an empty list. → []"],
    ["'[a, b]'", false, '→ ["a", "b"]'],
  ])("%s", (value, isPatterns, end) => {
    expect(found(value, isPatterns)).toHaveLength(1);
    expect(found(value, isPatterns)[0]).toContain(end);
  });

  it("is fatal for patterns of which no character matches", () => {
    expect(found("lm_head", true)[0]).toMatch(/^error/);
    expect(found("model.*", true)[0]).toMatch(/^warning/);
    expect(found("lm_head", false)[0]).toMatch(/^warning/);
  });

  it.each(["[a]", "null", "3", "???"])("is silent on %s", (value) => {
    expect(found(value, true)).toEqual([]);
  });
});

describe("meantPatterns", () => {
  it.each<[string, string[]]>([
    ["", []],
    [" a ", ["a"]],
    ["a, b,", ["a", "b"]],
    ["[a, 'b']", ["a", "b"]],
    ["[a] b", ["[a] b"]],
  ])("%j", (text, expected) => {
    expect(meantPatterns(text)).toEqual(expected);
  });
});
