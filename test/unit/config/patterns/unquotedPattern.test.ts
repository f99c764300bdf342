import { describe, expect, it } from "vitest";
import { unquotedFindings, unquotedIn } from "../../../../src/core/config/patterns/unquotedPattern.js";
import { plainFile, told } from "../rules/plainFile.js";

function found(value: string): readonly string[] {
  const text = `key: ${value}\n`;
  const { document, written } = plainFile(text, { key: { type: "list[str]", description: "" } });
  return told(text, unquotedFindings(unquotedIn(document, written)));
}

describe("unquotedFindings", () => {
  it.each<[string, string, string]>([
    ["[model.layers.{*}]", "braces and brackets have a meaning of their own here", '"model.layers.{*}"'],
    ["[*]", "a leading * makes an alias in YAML", '"*"'],
    ["{*}", "braces and brackets have a meaning of their own here", '["{*}"]'],
  ])("%s", (value, reason, written) => {
    const [first, ...others] = found(value);
    expect(others).toEqual([]);
    expect(first).toMatch(/^error .*: The file does not load: /);
    expect(first).toContain(`must be quoted, because ${reason}. → ${written}`);
  });

  it("offers one fix for all of several", () => {
    expect(found("[a.{*}, b.{*}]").map((each) => each.split(" → ").slice(1))).toEqual([
      ['"a.{*}"', '"a.{*}"', '"b.{*}"'],
      ['"b.{*}"', '"a.{*}"', '"b.{*}"'],
    ]);
  });

  it.each(["['a.{*}']", "[a.*]", "[]", "a"])("is silent on %s", (value) => {
    expect(found(value)).toEqual([]);
  });
});
