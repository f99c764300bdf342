import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { nodeAt } from "../../../../src/core/config/document/configNode.js";
import { intendedPatterns, unquotedPatterns } from "../../../../src/core/config/patterns/patternList.js";

function read(text: string) {
  const document = parseConfig(text, "omegaconf");
  const node = nodeAt(document.root, ["m"]);
  if (node === undefined) throw new Error("the text has no m");
  return {
    unquoted: unquotedPatterns(document, node).map((pattern) => text.slice(pattern.span.start, pattern.span.end)),
    intended: intendedPatterns(document, node),
  };
}

describe("pattern lists", () => {
  it.each<[string, readonly string[], readonly string[] | string | undefined]>([
    ["m: [model.layers.{*}]\n", ["model.layers.{*}"], ["model.layers.{*}"]],
    ['m: ["a.{*}", b.{*}.mlp, c]\n', ["b.{*}.mlp"], ["a.{*}", "b.{*}.mlp", "c"]],
    ["m: [model.layers.[0-3]]\nb: 1\n", ["model.layers.[0-3]"], ["model.layers.[0-3]"]],
    ["m: [*]\n", ["*"], ["*"]],
    ["m:\n  - *.layers # c\n  - {*}.mlp\n  - ok.*\n", ["*.layers", "{*}.mlp"], ["*.layers", "{*}.mlp", "ok.*"]],
    ["m: *\nb: 1\n", ["*"], "*"],
    ["m: {*}\n", ["{*}"], "{*}"],
    ["m:\n  - model.layers.{*}\n  - model.layers.{*}.mlp\n", [], ["model.layers.{*}", "model.layers.{*}.mlp"]],
    ["m: model.layers.{*}\n", [], "model.layers.{*}"],
    ["m: []\n", [], []],
    ["m:\n", [], undefined],
    ["m: ${a.b}\n", [], undefined],
    ["m: [a, '${x}', 3]\n", [], ["a"]],
    ["m: [{model.layers.*}, [a]]\n", [], []],
    ["x: &x a.*\nm: [*x, b]\n", [], ["a.*", "b"]],
    ["m: [model.layers.{*}\nb: [c]\n", [], []],
  ])("of %j", (text, unquoted, intended) => {
    expect(read(text)).toEqual({ unquoted, intended });
  });
});
