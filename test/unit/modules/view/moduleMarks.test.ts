import { describe, expect, it } from "vitest";
import { countsText, ModuleMark, ModuleMarks } from "../../../../src/core/modules/view/moduleMarks.js";
import { mixedTree, outlineOf } from "./sampleTrees.js";

const outline = outlineOf(mixedTree);
const marks = new ModuleMarks(outline, [
  [4, ModuleMark.moves],
  [7, ModuleMark.moves],
  [8, ModuleMark.nothing],
  [13, ModuleMark.stays],
  [999, ModuleMark.moves],
]);

describe("ModuleMarks", () => {
  it("counts below a module, without the module", () => {
    expect(marks.at(4)).toBe(ModuleMark.moves);
    expect(marks.below(3)).toEqual({ selected: 4, moves: 2, stays: 1, nothing: 1, unknown: 0 });
    expect(marks.below(7)).toMatchObject({ selected: 1, nothing: 1 });
  });

  it("counts all modules", () => {
    expect(marks.total).toEqual({ selected: 4, moves: 2, stays: 1, nothing: 1, unknown: 0 });
  });

  it("tells the members of a run from what is inside them", () => {
    const run = { first: 7, last: 13, count: 3 };
    expect(marks.ofMembers(run)).toMatchObject({ selected: 2, moves: 1, stays: 1 });
    expect(marks.insideMembers(run)).toMatchObject({ selected: 1, nothing: 1, moves: 0 });
  });

  it("says the counts in words", () => {
    expect(countsText(marks.below(0))).toBe("2 move, 1 stays, 1 without effect");
    expect(countsText({ selected: 0, moves: 0, stays: 0, nothing: 0, unknown: 0 })).toBe("");
    expect(countsText({ selected: 4, moves: 1, stays: 2, nothing: 0, unknown: 1 })).toBe("1 moves, 2 stay, 1 unknown");
  });
});
