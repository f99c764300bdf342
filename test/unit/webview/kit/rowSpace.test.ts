import { describe, expect, it } from "vitest";
import { movedBy, RowSpace } from "../../../../src/webview/kit/rowSpace.js";

function space(total: number, headPx = 0): RowSpace {
  const rows = new RowSpace(20, headPx);
  rows.total = total;
  return rows;
}

const at = (scrollTop: number, clientHeight = 200) => ({ scrollTop, clientHeight });

describe("the rows that have to exist", () => {
  it("are those in sight and ten beyond each edge", () => {
    expect(space(1000).wanted(at(0))).toEqual({ first: 0, count: 30 });
    expect(space(1000).wanted(at(4000))).toEqual({ first: 190, count: 30 });
    expect(space(1000, 20).wanted(at(4010))).toEqual({ first: 190, count: 29 });
    expect(space(0).wanted(at(0))).toEqual({ first: 0, count: 30 });
  });

  it("are found by share where a list is higher than a browser scrolls", () => {
    const rows = space(50_000_000);
    expect(rows.heightPx).toBe(12_000_000);
    expect(rows.topOf(25_000_000)).toBeCloseTo(6_000_000);
    expect(rows.wanted(at(6_000_000)).first).toBe(25_000_000 - 10);
  });
});

describe("a row that is to be seen", () => {
  it("moves nothing where it is in sight", () => {
    for (const position of [10, 14, 19]) expect(space(100).revealing(position, at(200), "nearest")).toBe(200);
    expect(space(100).revealing(19, at(200), "middle")).toBe(200);
  });

  it("comes to the nearest edge, whole", () => {
    expect(space(100).revealing(9, at(200), "nearest")).toBe(180);
    expect(space(100).revealing(20, at(200), "nearest")).toBe(220);
    expect(space(100).revealing(10, at(205), "nearest")).toBe(200);
    expect(space(100).revealing(19, at(190, 205), "nearest")).toBe(195);
  });

  it("does not hide under the head", () => {
    expect(space(100, 20).revealing(19, at(200), "nearest")).toBe(220);
    expect(space(100, 20).revealing(18, at(200), "nearest")).toBe(200);
  });

  it("comes to the middle, but not before the start", () => {
    expect(space(100).revealing(50, at(0), "middle")).toBe(900);
    expect(space(100).revealing(2, at(400), "middle")).toBe(0);
  });

  it("is in sight after it was revealed, in a list of any length", () => {
    for (const total of [100, 600_001, 40_000_003]) {
      const rows = space(total, 20);
      for (const position of [0, 7, Math.floor(total / 3), total - 1]) {
        for (const place of ["nearest", "middle"] as const) {
          const top = rows.revealing(position, at(rows.topOf(Math.floor(total / 2)), 210), place);
          expect(rows.revealing(position, at(top, 210), place)).toBe(top);
        }
      }
    }
  });
});

describe("keys", () => {
  it("move by one, by a page less one row, and to the ends", () => {
    const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"];
    expect(keys.map((key) => space(100).after(key, 50, at(0)))).toEqual([51, 49, 59, 41, 0, 99]);
    expect(keys.map((key) => space(100).after(key, 1, at(0)))).toEqual([2, 0, 10, 0, 0, 99]);
    expect(keys.map((key) => space(100).after(key, 99, at(0)))).toEqual([99, 98, 99, 90, 0, 99]);
  });

  it("start at the end that they come from where nothing is chosen", () => {
    expect(movedBy("ArrowDown", null, 5, 3)).toBe(0);
    expect(movedBy("ArrowUp", null, 5, 3)).toBe(4);
  });

  it("that do not move, and empty lists, give nothing", () => {
    expect(movedBy("a", 0, 5, 3)).toBeUndefined();
    expect(movedBy("ArrowDown", null, 0, 3)).toBeUndefined();
    expect(space(5).after("Enter", 1, at(0))).toBeUndefined();
  });
});
