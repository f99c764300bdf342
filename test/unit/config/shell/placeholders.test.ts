import { describe, expect, it } from "vitest";
import { findPlaceholders, maskPlaceholders } from "../../../../src/core/config/shell/placeholders.js";

function found(text: string, isProse = true): readonly string[] {
  return findPlaceholders(text, isProse).map(({ start, end }) => text.slice(start, end));
}

describe("findPlaceholders", () => {
  it.each<[string, readonly string[]]>([
    ["k=<path>", ["<path>"]],
    ["k=/data/<your set>/a.parquet", ["<your set>"]],
    ["--model.model_path <path to model>", ["<path to model>"]],
    ["k={{ n }} j={{n|int}}", ["{{ n }}", "{{n|int}}"]],
    ["k=... j=[...] \\\n  … \\", ["...", "...", "…"]],
    ["a=True/False b=N c=XX d=YOUR_PATH", ["True/False", "N", "XX", "YOUR_PATH"]],
    ["sort <in >out", []],
    ["cat <in>out", []],
    ["k=<(cmd) j=2>&1", []],
    ["k=model.layers.{{0,1},*}", []],
    ["k=a...b j=None l=NCCL", []],
  ])("%j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("takes the words of prose only in prose, and keeps the length", () => {
    expect(found("k=N j=<n>", false)).toEqual(["<n>"]);
    expect(maskPlaceholders("k=N j=<n>x", true)).toHaveLength(10);
  });
});
