import { describe, expect, it } from "vitest";
import { lineAbove, lineAround, lineBelow, shapeOf } from "../../../../src/core/config/assist/textLine.js";

const text = "ab\r\n\ncd\n";

describe("lines around an offset", () => {
  it("end before their line break", () => {
    expect([0, 2, 4, 5, 7, 8].map((offset) => lineAround(text, offset))).toEqual([
      { start: 0, end: 2 },
      { start: 0, end: 2 },
      { start: 4, end: 4 },
      { start: 5, end: 7 },
      { start: 5, end: 7 },
      { start: 8, end: 8 },
    ]);
  });

  it("have neighbours, except at the ends of the text", () => {
    expect(lineAbove(text, 5)).toEqual({ start: 4, end: 4 });
    expect(lineAbove(text, 4)).toEqual({ start: 0, end: 2 });
    expect(lineAbove(text, 0)).toBeUndefined();
    expect(lineBelow(text, 0)).toEqual({ start: 4, end: 4 });
    expect(lineBelow(text, 8)).toBeUndefined();
    expect(lineAbove("\nx", 1)).toEqual({ start: 0, end: 0 });
  });
});

function shape(line: string) {
  const found = shapeOf(line, { start: 0, end: line.length });
  return found && { dashes: found.dashes, content: found.content, key: found.key?.key };
}

describe("shapeOf", () => {
  it("finds markers and keys", () => {
    expect(shape("  a b: c")).toEqual({ dashes: [], content: 2, key: "a b" });
    expect(shape("- - key:")).toEqual({ dashes: [0, 2], content: 4, key: "key" });
    expect(shape("  -")).toEqual({ dashes: [2], content: 3, key: undefined });
    expect(shape("'it''s': 1")).toEqual({ dashes: [], content: 0, key: "it''s" });
  });

  it("takes colons and hashes inside words as letters", () => {
    expect(shape("http://x")?.key).toBeUndefined();
    expect(shape("a#b: 1")?.key).toBe("a#b");
    expect(shape("a #b: 1")?.key).toBeUndefined();
    expect(shape("-x: 1")).toEqual({ dashes: [], content: 0, key: "-x" });
  });

  it("is nothing for blank lines and comments", () => {
    expect(shape("   ")).toBeUndefined();
    expect(shape("  # a: b")).toBeUndefined();
  });
});
