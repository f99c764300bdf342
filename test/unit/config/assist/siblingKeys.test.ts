import { describe, expect, it } from "vitest";
import { siblingKeys } from "../../../../src/core/config/assist/siblingKeys.js";
import { atCursor } from "./cursor.js";

function keys(marked: string, column: number): string[] {
  const { text, offset } = atCursor(marked);
  return [...siblingKeys(text, offset, column)].sort();
}

describe("siblingKeys", () => {
  it("collects the keys of one mapping, above and below", () => {
    expect(keys("x: 1\nm:\n  a: 1\n  b:\n    deep: 1\n  ‸\n\n  # c: no\n  d: 1\ny:\n  e: 1\n", 2)).toEqual([
      "a",
      "b",
      "d",
    ]);
  });

  it("leaves the line itself out", () => {
    expect(keys("a: 1\nb‸: 2\nc: 3", 0)).toEqual(["a", "c"]);
  });

  it("passes lists in the column of their key", () => {
    expect(keys("m:\n  a:\n  - x: 1\n  ‸\n  b: 1", 2)).toEqual(["a", "b"]);
  });

  it("stays inside one entry of a list", () => {
    expect(keys("l:\n  - a: 1\n  - b: 1\n    ‸\n    c: 1\n  - d: 1", 4)).toEqual(["b", "c"]);
    expect(keys("l:\n  - a: 1\n  - b‸: 1\n    c: 1", 4)).toEqual(["c"]);
  });
});
