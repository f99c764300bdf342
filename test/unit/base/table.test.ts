import { describe, expect, it } from "vitest";
import { tableLines, tableRule } from "../../../src/core/base/table.js";

describe("tableLines", () => {
  const rows = [
    ["", "before", "after"],
    ["compute", "1 s", "12 s"],
    ["x", "", ""],
  ];

  it("makes columns as wide as their widest cell and ends no line with blanks", () => {
    expect(tableLines(rows, ["left", "right"])).toEqual(["         before  after", "compute     1 s   12 s", "x"]);
    expect(tableLines(rows, ["left"])).toEqual(["         before  after", "compute  1 s     12 s", "x"]);
    expect(tableLines(rows, ["right", "left", "right"])[1]).toBe("compute  1 s      12 s");
    expect(tableLines([["a", "1"]], ["left", "right"], 3)).toEqual(["a      1"]);
    expect(tableRule(rows)).toBe("-------  ------  -----");
  });

  it("takes rows of different lengths, none, and very many", () => {
    expect(tableLines([["a"], ["b", "c"]], ["left"])).toEqual(["a", "b  c"]);
    expect(tableLines([], ["left"])).toEqual([]);
    expect(tableLines(Array<string[]>(200_000).fill(["a", "b"]), ["left"])).toHaveLength(200_000);
  });
});
