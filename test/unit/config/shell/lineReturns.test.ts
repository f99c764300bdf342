import { describe, expect, it } from "vitest";
import {
  convertReturns,
  readReturns,
  withoutReturns,
  withSpansMoved,
} from "../../../../src/core/config/shell/lineReturns.js";

const texts = ["a\r\nb\r\n", "\r\n\r\n", "a\rb", "a\r\r\nb\nc\r", "\r", "x\n\r\ny", "a \\\r\n  b\r\n# c\r\n"];

describe("withoutReturns", () => {
  it("leaves texts alone that have line feeds only", () => {
    expect(withoutReturns("a\nb\n")).toBeUndefined();
    expect(withoutReturns("")).toBeUndefined();
  });

  it("makes one line feed of each line end, also of one that was converted twice", () => {
    expect(withoutReturns("a\r\nb\rc\r\r\nd\n")?.text).toBe("a\nb\nc\nd\n");
  });

  it.each(texts)("keeps every character's place: %j", (text) => {
    const converted = withoutReturns(text);
    const places = [...(converted?.text ?? "")].map(
      (character, at) => [character, converted?.placeOf(at) ?? -1] as const,
    );
    for (const [character, place] of places) {
      expect([character, text[place]]).toEqual([
        character,
        character === "\n" && text[place] !== "\n" ? "\r" : character,
      ]);
    }
    expect(converted?.placeOf(converted.text.length)).toBe(text.length);
  });
});

describe("withSpansMoved", () => {
  it("moves every span of plain data, however deep, and nothing else", () => {
    const moved = withSpansMoved(
      { span: { start: 1, end: 2 }, at: 5, list: [{ start: 3, end: 4, text: "x" }], none: undefined },
      ({ start, end }) => ({ start: start + 10, end: end + 10 }),
    );
    expect(moved).toEqual({
      span: { start: 11, end: 12 },
      at: 5,
      list: [{ start: 13, end: 14, text: "x" }],
      none: undefined,
    });
  });
});

describe("readReturns", () => {
  it("is silent on scripts that bash reads as they are meant", () => {
    expect(readReturns("a\nb\n")).toBeUndefined();
    expect(readReturns("# note\r\n  # another\r\npython3 x\n")).toBeUndefined();
  });

  it("finds the first line that bash reads otherwise", () => {
    const text = "# note\r\n  python3 x \\\r\n  a=1\n";
    expect(readReturns(text)).toEqual({
      count: 2,
      kinds: ["CR LF"],
      span: { start: 6, end: 23 },
      line: { start: 10, end: 22 },
    });
  });

  it("counts the program that a first line names, and a comment that swallows the next line", () => {
    expect(readReturns("#!/bin/bash\r\n:\n")?.line).toEqual({ start: 0, end: 12 });
    expect(readReturns("# note\rpython3 x\n")?.kinds).toEqual(["CR"]);
    expect(readReturns("a\r\nb\r")?.kinds).toEqual(["CR LF", "CR"]);
  });

  it("converts them all", () => {
    for (const text of texts) expect(convertReturns(text)).not.toContain("\r");
  });
});
