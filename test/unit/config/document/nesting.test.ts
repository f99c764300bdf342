import { describe, expect, it } from "vitest";
import { nestingBound } from "../../../../src/core/config/document/nesting.js";

describe("nestingBound", () => {
  it.each([
    ["", 0],
    ["a: 1\nb: 2\n", 1],
    ["a:\n  b:\n    c: 1\nd: 2\n", 3],
    ["a: [[x], {b: [c]}]\n", 3],
    ["- - - x\n", 4],
    ["? a\n: - - x\n", 4],
    ["k: ? ? ? x\n", 4],
    ["# [[[ \n\na: 1\n", 3],
    ["]]]]\n", 1],
  ])("of %j is %d", (text, bound) => {
    expect(nestingBound(text)).toBe(bound);
  });

  it("sees hostile depth of every kind", () => {
    expect(nestingBound("[".repeat(100_000))).toBe(100_000);
    expect(nestingBound("- ".repeat(5_000))).toBeGreaterThan(4_000);
    const stairs = Array.from({ length: 300 }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
    expect(nestingBound(stairs)).toBe(300);
  });
});
