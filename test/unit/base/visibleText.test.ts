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

  it("gives one line of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(visibleLine(text))),
    );
  });
});
