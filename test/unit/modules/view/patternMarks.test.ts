import { describe, expect, it } from "vitest";
import { patternMarks } from "../../../../src/core/modules/view/patternMarks.js";
import { readingOfText } from "../../config/ofText.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen3");

function marks(list: string) {
  const text = `actor_rollout_ref:\n  actor:\n    veomni:\n      activation_offload_modules: ${list}\n`;
  const entries = readingOfText("veomni.yaml", text)?.patternLists[0]?.entries ?? [];
  return patternMarks(text, entries, tree).map(({ span, kind }) => [text.slice(span.start, span.end), kind]);
}

describe("patternMarks", () => {
  it("marks patterns without a match, quotes left out", () => {
    expect(marks('["model.layer.*", model.layers.0, "model.layers.{0-3}"]')).toEqual([
      ["model.layer.*", "dead"],
      ["model.layers.{0-3}", "dead"],
    ]);
  });

  it("marks the text that is ignored behind {*}", () => {
    expect(marks('["model.layers.{*}.mlp"]')).toEqual([[".mlp", "ignored"]]);
    expect(marks("\n        - model.layers.{*}.mlp")).toEqual([[".mlp", "ignored"]]);
  });

  it("leaves an entry alone that only repeats another", () => {
    expect(marks('["model.layers.*", "model.layers.0", "model.layers.{*}"]')).toEqual([]);
  });

  it("marks nothing behind {*} where escapes move the text", () => {
    expect(marks('["model.layers.{*}\\u002emlp"]')).toEqual([]);
  });

  it("has nothing to say without entries", () => {
    expect(patternMarks("", [], tree)).toEqual([]);
  });
});
