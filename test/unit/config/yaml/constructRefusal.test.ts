import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import type { YamlReader } from "../../../../src/core/config/yaml/plainScalar.js";

function codes(text: string, reader: YamlReader): readonly string[] {
  return parseConfig(text, reader).syntaxProblems.map(({ code }) => code);
}

describe("constructRefusal", () => {
  it.each([
    ["a: !Thing 1", "UNKNOWN_TAG"],
    ["a: =", "UNKNOWN_TAG"],
    ["a: !!int abc", "TAG_MISFIT"],
    ["a: !!seq {b: 1}", "TAG_MISFIT"],
    ["a: 0b_", "VALUE_MISFIT"],
    ["? [1]\n: 2", "BAD_KEY"],
    ["<<: 5", "BAD_MERGE"],
    ["<<: [{a: 1}, 5]", "BAD_MERGE"],
  ])("stops at %j for both readers", (text, code) => {
    expect([codes(text, "pyyaml"), codes(text, "omegaconf")]).toEqual([[code], [code]]);
  });

  it.each(["=: 1", "a: !!int '3'", "a: ! '3'", "a: !!set {b, c}", "a: !!omap [b: 1]", "<<: {a: 1}"])(
    "builds %j",
    (text) => {
      expect([codes(text, "pyyaml"), codes(text, "omegaconf")]).toEqual([[], []]);
    },
  );

  it("knows that only PyYAML's own loader reads dates", () => {
    expect([codes("a: 2024-02-30", "pyyaml"), codes("a: 2024-02-30", "omegaconf")]).toEqual([["VALUE_MISFIT"], []]);
    expect(codes("a: 2024-02-29 10:00:00 +1:30", "pyyaml")).toEqual([]);
  });

  it("finds what a merge brings together only after another place has resolved it", () => {
    const text = "b1: &b1 {x: 0}\na: {b: &b2 {<<: *b1, x: 1}}\ntop: {<<: *b2}\n";
    expect([codes(text, "pyyaml"), codes(text, "omegaconf")]).toEqual([[], ["MERGED_TWICE"]]);
  });
});
