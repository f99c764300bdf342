import { describe, expect, it } from "vitest";
import { withPlainBreaks } from "../../../../src/core/config/yaml/plainBreaks.js";

describe("withPlainBreaks", () => {
  it.each([
    ["a: 1 # x\u2028b: 2\x85c: 3\rd: 4\r\n", "a: 1 # x\nb: 2\nc: 3\nd: 4\r\n"],
    ['a: "x\u2028y" # z\u2029', 'a: "x\u2028y" # z\n'],
    ["a: x\u2028 y\u2028b: 1", "a: x\u2028 y\nb: 1"],
    ["a: [1\u2028, 2]\u2029", "a: [1\n, 2]\n"],
  ])("puts line feeds into %j where nothing else is meant", (text, expected) => {
    expect(withPlainBreaks(text)).toBe(expected);
  });

  it("leaves what it cannot tell", () => {
    expect(withPlainBreaks("a: '\u2028\x85")).toBe("a: '\u2028\n");
  });
});
