import { describe, expect, it } from "vitest";
import { shiftLine, TextLines } from "../../../../src/core/config/migrate/textLines.js";

describe("TextLines", () => {
  it.each(["", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\r\nb", "a\r\nb\n", "\n\n", "\r\n"])(
    "joins %j as it was",
    (text) => {
      const lines = new TextLines(text);
      expect(lines.join(lines.lines)).toBe(text);
    },
  );

  it("finds the line of an offset", () => {
    const lines = new TextLines("ab\r\n\r\nc\r\n");
    expect([0, 1, 2, 3, 4, 5, 6, 7, 99].map((offset) => lines.lineAt(offset))).toEqual([0, 0, 0, 0, 1, 1, 2, 2, 2]);
    expect(lines.lines).toEqual(["ab", "", "c"]);
  });

  it("keeps stray carriage returns in their lines", () => {
    expect(new TextLines("a\r\nb\n").lines).toEqual(["a\r", "b"]);
  });
});

describe("shiftLine", () => {
  it("moves by blanks only, as far as there are any", () => {
    expect([
      shiftLine("  a", 2),
      shiftLine("  a", -1),
      shiftLine(" a", -4),
      shiftLine("  ", -2),
      shiftLine("\ta", -1),
    ]).toEqual(["    a", " a", "a", "  ", "\ta"]);
  });
});
