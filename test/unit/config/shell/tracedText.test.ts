import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { plainPiece, sourceSpan, traceText } from "../../../../src/core/config/shell/tracedText.js";

describe("traceText", () => {
  it("maps equal lengths one to one and others as a whole", () => {
    const traced = traceText([
      plainPiece("ab", 3),
      { kind: "quote", character: '"', start: 5, end: 6 },
      { kind: "text", text: "\n", start: 6, end: 8, quoting: "ansi" },
      { kind: "unknown", start: 9, end: 14 },
    ]);
    expect(traced.text).toBe(`ab\n${UNKNOWN_MARK}`);
    expect(traced.starts).toEqual([3, 4, 6, 9]);
    expect(traced.ends).toEqual([4, 5, 8, 14]);
    expect(traced.quoting).toEqual(["none", "none", "ansi", "none"]);
    expect(traced.removedQuotes).toEqual([{ character: '"', index: 2, span: { start: 5, end: 6 } }]);
  });
});

describe("sourceSpan", () => {
  const traced = traceText([plainPiece("ab", 10), plainPiece("c", 14), plainPiece("de", 90)]);

  it("covers what stands together and stops where the text jumps", () => {
    expect(sourceSpan(traced, 0, 3)).toEqual({ start: 10, end: 15 });
    expect(sourceSpan(traced, 1, 5)).toEqual({ start: 11, end: 15 });
    expect(sourceSpan(traced, 3, 5)).toEqual({ start: 90, end: 92 });
  });

  it("gives an empty stretch its place", () => {
    expect(sourceSpan(traced, 2, 2)).toEqual({ start: 12, end: 12 });
    expect(sourceSpan(traced, 5, 5)).toEqual({ start: 92, end: 92 });
    expect(sourceSpan(traceText([]), 0, 0)).toEqual({ start: 0, end: 0 });
  });
});
