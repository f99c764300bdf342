import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleLine, visibleLines } from "../../../src/core/base/visibleText.js";

describe("visibleLine", () => {
  it.each([
    ["a\nb", "a\\u000ab"],
    ["a\r\u0085\u2028\u2029b", "a\\u000d\\u0085\\u2028\\u2029b"],
    ["\u200b\u200d\ufeff\u202e\u2066\u00ad", "\\u200b\\u200d\\ufeff\\u202e\\u2066\\u00ad"],
    ["\u{e0041}", "\\udb40\\udc41"],
    ["35 × 2,048 ä 层 \u{1f600}\u00a0…", "35 × 2,048 ä 层 \u{1f600}\u00a0…"],
  ])("%j is written as %s", (text, expected) => {
    expect(visibleLine(text)).toBe(expected);
    expect(JSON.parse(`"${visibleLine(text)}"`)).toBe(text);
  });

  it("keeps line feeds and tabulators of a text of several lines", () => {
    expect(visibleLines("a\n\tb\u2028c\r\n")).toBe("a\n\tb\\u2028c\\u000d\n");
  });

  // The engine has the list, since C++ knows no categories of characters (test/native/engine/base/visible_text_test.cc).
  it.runIf(/^1[567]\./.test(process.versions.unicode ?? ""))("takes the characters that the engine takes", () => {
    const ranges: readonly (readonly [number, number])[] = JSON.parse(
      readFileSync("test/fixtures/unseen-characters.json", "utf8"),
    );
    const inRanges = new Set(
      ranges.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, at) => low + at)),
    );
    const others = codes(0, 0x1ffff, 0xe0000, 0xe0fff).filter(
      (code) => (visibleLine(String.fromCodePoint(code)) !== String.fromCodePoint(code)) !== inRanges.has(code),
    );
    expect(others).toEqual([]);
  });

  it("gives one line of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(visibleLine(text))),
    );
  });
});

/** All code points of some ranges, given as pairs of ends. */
function codes(...ends: readonly number[]): readonly number[] {
  const [low, high, ...rest] = ends;
  if (low === undefined || high === undefined) return [];
  return [...Array.from({ length: high - low + 1 }, (_, at) => low + at), ...codes(...rest)];
}
