import { describe, expect, it } from "vitest";
import {
  layerStacks,
  matchNotes,
  missingNotes,
  shapeNotes,
  textNote,
} from "../../../../src/core/modules/selection/patternNotes.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen2_5_vl");

describe("layerStacks", () => {
  it("lists stacks of layers, not every list", () => {
    expect(layerStacks(tree)).toEqual(["model.visual.blocks", "model.language_model.layers"]);
    expect(layerStacks(recordedTree("opt").tree)).toEqual(["model.decoder.layers"]);
  });
});

describe("notes", () => {
  it("point from a wrong path to the stacks of the model", () => {
    const [note] = missingNotes(tree, "model.layers.*");
    expect(note?.message).toContain('"layers" matches nothing below "model"');
    expect(note?.message).toContain("model.visual.blocks.{*}, model.language_model.layers.{*}");
  });

  it("tell the numbers that exist", () => {
    expect(missingNotes(tree, "model.visual.blocks.99")[0]?.message).toContain("There are 0 to 31");
  });

  it("show what the ignored text was meant to narrow", () => {
    expect(shapeNotes(tree, "model.visual.blocks.{*}.mlp")[0]?.message).toBe(
      '".mlp" after {*} is ignored: the pattern takes whole children of "model.visual.blocks".',
    );
  });

  it("say what a mark in angle brackets would select, were it written right", () => {
    const note = shapeNotes(tree, "model.visual.blocks.<*>").find(({ code }) => code === "GROUP_ANGLE");
    expect(note?.message).toContain('"model.visual.blocks.{*}" would select 32 modules.');
    expect(shapeNotes(tree, "nowhere.<*>")[0]?.message).toBe('The mark is written "{*}", not "<*>".');
  });

  it("leave layers and top-level modules alone", () => {
    expect(matchNotes(tree, ["model.visual.blocks.0", "lm_head"])).toEqual([]);
    expect(matchNotes(tree, ["model.visual.merger.mlp.0"])).toEqual([]);
  });

  it("mention the star of a text only if it has one", () => {
    expect(textNote("abc").message).not.toContain('"*"');
    expect(textNote("a.*").message).toContain('"*"');
  });
});
