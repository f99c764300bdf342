import { describe, expect, it } from "vitest";
import { LineIndex, positionOf } from "../../../../src/core/config/document/position.js";

describe("positions", () => {
  it("are 1-based and count LF, CRLF and CR as one break each", () => {
    const text = "ab\ncd\r\nef\rgh";
    const lines = new LineIndex(text);
    expect(["a", "b", "c", "e", "g", "h"].map((letter) => lines.positionAt(text.indexOf(letter)))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 2 },
    ]);
  });

  it("count UTF-16 units, as editors do", () => {
    expect(positionOf("a: 😀x", 5)).toEqual({ line: 1, column: 6 });
  });

  it("stay inside the text", () => {
    expect(positionOf("a\nb", 99)).toEqual({ line: 2, column: 2 });
    expect(positionOf("a\nb", -1)).toEqual({ line: 1, column: 1 });
    expect(positionOf("", 0)).toEqual({ line: 1, column: 1 });
    expect(positionOf("a\n", 2)).toEqual({ line: 2, column: 1 });
  });
});
